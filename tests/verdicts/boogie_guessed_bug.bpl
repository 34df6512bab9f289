//! boogie-assert: false
// The last element is left out: no guess may hide that.
procedure Fill(n: int, v: int) returns (a: [int]int)
  requires n >= 1 && n < 4;
  ensures a[n - 1] == v;
{
  var k: int;
  k := 0;
  while (k < n - 1)
    invariant k >= 0;
  {
    a[k] := v;
    k := k + 1;
  }
}
