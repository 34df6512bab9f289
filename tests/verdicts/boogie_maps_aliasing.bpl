//! boogie-assert: true
// Writes at different places leave each other alone, whatever the base.
var M: [int]int;
procedure main(p: int, q: int)
  modifies M;
{
  M[p] := 1;
  M[p + 1] := 2;
  M[p + 2] := 3;
  M[p] := M[p] + 10;
  assert M[p] == 11 && M[p + 1] == 2 && M[p + 2] == 3;
  M[q] := 4;
  assert q == p + 1 || M[p + 1] == 2;
}
