//! boogie-assert: false
// Nothing is known of a function but what the axioms say.
function f(int): int;
axiom f(3) == 4;
procedure main(x: int)
{
  assume x > 3;
  assert f(x) == 4;
}
