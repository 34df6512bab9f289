//! boogie-assert: true
// What is to hold of all n elements in the end holds of the first k all along.
procedure Fill(n: int, v: int) returns (a: [int]int)
  ensures (forall i: int :: 0 <= i && i < n ==> a[i] == v);
{
  var k: int;
  k := 0;
  while (k < n)
  {
    a[k] := v;
    k := k + 1;
  }
}
