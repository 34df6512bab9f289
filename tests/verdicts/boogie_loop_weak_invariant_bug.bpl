//! boogie-assert: false
// The invariant holds, what follows from it doesn't.
procedure main(n: int)
  requires n >= 0;
{
  var i, s: int;
  i, s := 0, 0;
  while (i < n)
    invariant i <= n;
  {
    i, s := i + 1, s + i;
  }
  assert n < 4 || s < 4;
}
