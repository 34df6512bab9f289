//! boogie-assert: false
// Two bases may be the same place.
var M: [bv32]bv8;
function {:bvbuiltin "bvadd"} add(bv32, bv32): bv32;
procedure main(p: bv32, q: bv32)
  modifies M;
{
  M[add(p, 4bv32)] := 1bv8;
  M[q] := 2bv8;
  assert M[add(p, 4bv32)] == 1bv8;
}
