//! boogie-assert: false
// A global may have lost what its where clause says when a procedure is called.
var g: int where g > 0;
procedure check()
  requires true;
{
  assert g > 0;
}
procedure {:entrypoint} main()
  modifies g;
{
  g := 0;
  call check();
}
