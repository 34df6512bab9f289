//! boogie-assert: false
// Here the range is larger than what is mapped, so there may be holes.
procedure main(a: [int]int)
{
  assume (forall i: int :: 0 <= i && i < 3 ==> 0 <= a[i] && a[i] < 4);
  assume (forall i, j: int :: 0 <= i && i < j && j < 3 ==> a[i] != a[j]);
  assert a[0] == 3 || a[1] == 3 || a[2] == 3;
}
