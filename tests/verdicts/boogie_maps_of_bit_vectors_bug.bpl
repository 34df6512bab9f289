//! boogie-assert: false
// Different rows may be the same row.
var shared: [bv1][bv32]bv32;
procedure main(g: bv1, i: bv32)
  modifies shared;
{
  shared[1bv1][i] := 5bv32;
  shared[g][i] := 6bv32;
  assert shared[1bv1][i] == 5bv32;
}
