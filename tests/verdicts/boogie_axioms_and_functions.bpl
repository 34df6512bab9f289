//! boogie-assert: true
// Axioms about uninterpreted functions, functions with bodies, recursive ones too.
function and(int, int): int;
axiom and(0, 0) == 0;
axiom and(0, 1) == 0;
axiom and(1, 0) == 0;
axiom and(1, 1) == 1;
function {:inline} flag(b: bool): int { if b then 1 else 0 }
function twice(x: int): int { x + x }
function sum(n: int): int { if n <= 0 then 0 else n + sum(n - 1) }
procedure main(p: bool, q: bool, x: int)
{
  assert (and(flag(p), flag(q)) != 0) == (p && q);
  assert twice(x) == 2 * x;
  assert sum(3) == 6;
}
