//! boogie-assert: true
// Operations of SMT-LIB by name, concatenation and extraction.
function {:bvbuiltin "bvadd"} add(bv32, bv32): bv32;
function {:bvbuiltin "bvult"} below(bv32, bv32): bool;
function {:bvbuiltin "zero_extend 24"} widen(bv8): bv32;
function {:bvbuiltin "(_ sign_extend 24)"} sign(bv8): bv32;
procedure main(x: bv8, y: bv32)
{
  assert below(widen(x), 256bv32);
  assert widen(x)[8:0] == x && (0bv24 ++ x) == widen(x);
  assert sign(255bv8) == 4294967295bv32;
  assert add(y, 0bv32) == y;
}
