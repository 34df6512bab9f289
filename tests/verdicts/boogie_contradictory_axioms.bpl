//! boogie-assert: true
// Nothing of the program mentions `c`, but without a value for it there is no execution.
const c: int;
axiom c > 3;
axiom c < 2;
procedure main()
{
  assert false;
}
