//! boogie-assert: false
// Functions with recursive bodies, over several parameters and over each other; maps in their bodies.
function count(m: [int]bool, n: int): int { if n <= 0 then 0 else count(m, n - 1) + (if m[n - 1] then 1 else 0) }
function even(n: int): bool { if n <= 0 then n == 0 else odd(n - 1) }
function odd(n: int): bool { if n <= 0 then false else even(n - 1) }
procedure main(m: [int]bool, n: int)
  requires 0 <= n && n <= 4;
{
  var k: int;
  k := count(m, n);
  assume even(k) && k > 0;
  assert even(n) ==> k == n;
}
