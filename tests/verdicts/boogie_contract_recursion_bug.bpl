//! boogie-assert: false
// A recursive call breaks the precondition.
procedure down(n: int)
  requires n >= 0;
{
  if (n != 1) { call down(n - 1); }
}
procedure main()
{
  call down(0);
}
