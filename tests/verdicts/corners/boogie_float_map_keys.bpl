//! boogie-assert: true
// Maps and functions tell floats apart as == does.
function f(x: float24e8) returns (int);

procedure main()
{
  var m: [float24e8]int;
  var x, y: float24e8;
  m[0x0.0e0f24e8] := 1;
  m[-0x0.0e0f24e8] := 2;
  m[0NaN24e8] := 3;
  assert m[0x0.0e0f24e8] == 1 && m[0NaN24e8] == 3;
  assume x == y;
  assert f(x) == f(y);
}
