//! boogie-assert: true
// That the inverse of a permutation has no value twice needs that the permutation reaches everything.
procedure invert(a: [int]int, size: int) returns (b: [int]int)
  requires (forall i, j: int :: 0 <= i && i < size && 0 <= j && j < size && i != j ==> a[j] != a[i]);
  requires (forall i: int :: 0 <= i && i < size ==> a[i] < size && a[i] >= 0);
  ensures (forall i, j: int :: 0 <= i && i < j && j < size ==> b[i] != b[j]);
{
  var k: int;
  k := 0;
  while (k < size)
    invariant (forall i: int :: 0 <= i && i < k ==> b[a[i]] == i);
  {
    b[a[k]] := k;
    k := k + 1;
  }
}
