//! boogie-assert: true
// A code expression is true if every execution of its blocks returns true.
var g: bool;
procedure {:inline 1} read() returns (l: bool) { l := g; }
procedure both(x: int, y: int)
  requires |{ var z: bool;
              Start: z := false; goto B, C;
              B: assume 0 <= x; goto E, F;
              C: assume x < 0; goto R;
              E: assume 0 <= y; z := true; goto R;
              F: assume y < 0; goto R;
              R: return z; }|;
{
  assert 0 <= x + y;
}
procedure main(i: int)
  modifies g;
{
  var m: bool;
  assert |{ var x: int; A: havoc x; assume x > i; return x >= i; }|;
  assert !|{ var x: bool; A: return x; }|;
  g := true;
  m := |{ var l: bool; A: call l := read(); g := false; return l; }|;
  assert m && g;
  assert (forall p: int :: p > 0 ==> |{ var q: int; A: q := p + 1; goto B; B: return q > 1; }|);
  call both(1, 2);
}
