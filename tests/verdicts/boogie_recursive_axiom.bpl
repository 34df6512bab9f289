//! boogie-assert: true
// What an axiom defines by recursion, down to base values that nobody fixes.
const a: [int]int;
function sum(low: int, high: int): int;
axiom (forall low, high: int :: low < high ==> sum(low, high) == sum(low, high - 1) + a[high - 1]);
axiom (forall low, high: int :: high <= low ==> sum(low, high) == 0);
function sign(int): bool;
axiom (forall n: int :: sign(n + 1) <==> (if n < 0 then false else !sign(n)));
procedure main(n: int)
  requires 0 <= n && n <= 3;
  requires sum(0, n) > 0;
{
  var i, s: int;
  i, s := 0, 0;
  while (i < n)
  {
    s := s + a[i];
    i := i + 1;
  }
  assert s == sum(0, n);
  assert n > 0;
  assert n == 2 ==> sign(3) && !sign(2) && !sign(0);
}
