//! boogie-assert: false
// The invariant fails in the fourth iteration.
procedure main()
{
  var i: int;
  i := 0;
  while (i < 10)
    invariant i != 3;
  {
    i := i + 1;
  }
}
