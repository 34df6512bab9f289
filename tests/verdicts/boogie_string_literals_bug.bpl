//! boogie-assert: false
// Any string, not only those that were written down.
procedure main(s: string)
{
  assert s == "a" || s == "b";
}
