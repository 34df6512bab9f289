//! boogie-assert: true
// Datatypes are equal if their floats are the same, and negation changes a zero.
datatype Box { Box(content: float53e11) }

procedure main()
{
  var x: float53e11;
  assert Box(0x0.0e0f53e11) != Box(-0x0.0e0f53e11);
  assert Box(0NaN53e11) == Box(0NaN53e11);
  x := 0x0.0e0f53e11;
  assert -x != x;
  assert (if x == 0NaN53e11 then 0x1.0e0f53e11 else x) == x;
}
