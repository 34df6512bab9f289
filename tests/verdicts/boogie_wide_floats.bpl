//! boogie-assert: true
// Formats whose numbers have more digits than any memory.
procedure Wide(x: float24e40, y: float24e40)
{
  var f: float24e40;
  f := 0x1.0e137438953471f24e40;
  assert f > 0x1.0e0f24e40 && f == f && f < 0+oo24e40;
  assert f + 0x1.0e0f24e40 == f;
  assert f - f == 0x0.0e0f24e40;
  assert f * 0x1.0e-137438953471f24e40 == 0x1.0e0f24e40;
  assert x < y ==> !(y <= x);
}
