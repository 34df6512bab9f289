//! boogie-assert: true
// Only NaN is not at most itself; floats that are the same are equal unless they are NaN.
function {:builtin "fp.eq"} ieee(float24e8, float24e8) returns (bool);

procedure main()
{
  var x, y: float24e8;
  if (!(x <= x)) {
    assert x == 0NaN24e8;
  } else {
    assume x == y;
    assert ieee(x, y);
  }
}
