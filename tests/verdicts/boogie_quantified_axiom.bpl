//! boogie-assert: true
// An axiom for all values.
function f(int): int;
axiom (forall x: int :: {f(x)} f(x) > x);
procedure main(a: int)
{
  assert f(a) > a;
  assert f(f(a)) > a + 1;
}
