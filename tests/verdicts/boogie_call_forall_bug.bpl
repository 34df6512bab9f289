//! boogie-assert: false
// What `call forall` assumes is true of fewer values than the last assertion speaks of.
function height(x: int) returns (int);

procedure up_to(x: int, limit: int);
  requires x <= limit;
  ensures height(x) <= height(limit);

procedure main(b: int)
{
  call forall up_to(*, 7);
  assert height(b) <= height(7);
}
