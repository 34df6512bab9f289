//! boogie-assert: true
// == on floats is identity: zeros differ by their sign, and NaN is NaN.
function {:builtin "fp.eq"} ieee(float24e8, float24e8) returns (bool);

procedure main()
{
  var x: float24e8;
  assert 0x0.0e0f24e8 != -0x0.0e0f24e8;
  assert ieee(0x0.0e0f24e8, -0x0.0e0f24e8);
  assert 0NaN24e8 == 0NaN24e8;
  assert !ieee(0NaN24e8, 0NaN24e8);
  assert x == x;
}
