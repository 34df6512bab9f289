//! boogie-assert: false
// One of the threads takes a step less.
function {:bvbuiltin "bvadd"} add(bv32, bv32): bv32;
function {:bvbuiltin "bvult"} less(bv32, bv32): bool;
procedure main(thread: bv32)
  requires less(thread, 16bv32);
{
  var p: bool;
  var i, steps: bv32;
  i, steps, p := thread, 0bv32, true;
  while (p)
  {
    p := p && less(i, 79bv32);
    i := (if p then add(i, 16bv32) else i);
    steps := (if p then add(steps, 1bv32) else steps);
  }
  assert steps == 5bv32;
}
