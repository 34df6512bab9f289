//! boogie-assert: true
// `old` is the value at the entry of the procedure, in bodies and in postconditions.
var g: int;
procedure bump()
  modifies g;
  ensures g == old(g) + 2;
{
  g := g + 1;
  assert g == old(g) + 1;
  g := g + 1;
}
procedure main()
  modifies g;
{
  var before: int;
  before := g;
  g := 10;
  call bump();
  assert g == 12 && old(g) == before;
}
