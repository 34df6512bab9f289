//! boogie-assert: true
// Cut by its invariant, the loop needs no bound.
var M: [int]int;
procedure main(n: int)
  requires n >= 0;
  modifies M;
{
  var i: int;
  i := 0;
  while (i < n)
    invariant 0 <= i && i <= n;
    invariant (forall k: int :: 0 <= k && k < i ==> M[k] == 0);
  {
    M[i] := 0;
    i := i + 1;
  }
  assert (forall k: int :: 0 <= k && k < n ==> M[k] == 0);
}
