//! boogie-assert: true
// `call forall` of old programs assumes a procedure's specification for all values of its `*` arguments; it runs nothing
// and asks for no precondition.
function weight(x: int) returns (int);
axiom (forall x: int :: weight(x) == x + x);

procedure never_lighter(x: int)
  requires x >= 0;
  ensures weight(x) >= x;
{
  assert weight(x) == x + x;
}

procedure up_to(x: int, limit: int);
  requires x <= limit;
  ensures height(x) <= height(limit);

function height(x: int) returns (int);

procedure main(a: int, b: int)
{
  call forall never_lighter(*);
  assert a >= 0 ==> weight(a) >= a;
  call forall up_to(*, 7);
  assert b <= 7 ==> height(b) <= height(7);
}
