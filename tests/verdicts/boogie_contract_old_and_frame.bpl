//! boogie-assert: true
// Contracts about the state before, and what they leave alone.
var a: [int]int;
var other: int;
procedure bump(i: int, n: int)
  requires n >= 0;
  modifies a;
  ensures a[i] == old(a)[i] + n;
  ensures (forall k: int :: k != i ==> a[k] == old(a)[k]);
{
  var m: int;
  m := 0;
  while (m < n)
    invariant 0 <= m && m <= n;
    invariant a[i] == old(a)[i] + m;
    invariant (forall k: int :: k != i ==> a[k] == old(a)[k]);
  {
    a[i] := a[i] + 1;
    m := m + 1;
  }
}
procedure main(n: int)
  modifies a, other;
{
  assume n >= 0;
  a[1] := 5;
  a[2] := 6;
  other := 3;
  call bump(1, n);
  call bump(2, 1);
  assert a[1] == 5 + n && a[2] == 7 && other == 3;
}
