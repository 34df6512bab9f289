//! boogie-assert: true
// This is no definition: it contradicts itself, so there is no execution.
function f(int): int;
axiom (forall n: int :: 0 < n ==> f(n) == f(n + 1) + 1 && f(n) >= 0 && f(n) <= 2);
procedure main()
{
  assert f(1) == 7;
}
