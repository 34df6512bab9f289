//! boogie-assert: true
// A fact about constants holds for every value that is that constant.
function fact(int): int;
axiom fact(0) == 1;
axiom (forall n: int :: {fact(n)} 1 <= n ==> fact(n) == n * fact(n - 1));
procedure main(x: int)
  requires x == 0 || x == 1;
{
  assert fact(x) == 1;
  assert fact(3) == 6;
}
