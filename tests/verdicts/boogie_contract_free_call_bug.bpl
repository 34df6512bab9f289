//! boogie-assert: false
// A free call enters a body without its precondition.
procedure check(n: int)
  requires n > 0;
{
  assert n > 0;
}
procedure {:entrypoint} main()
{
  free call check(0);
}
