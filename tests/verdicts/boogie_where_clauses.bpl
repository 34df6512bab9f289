//! boogie-assert: true
// Where clauses hold at the start and after havoc.
var g: int where g > 0;
procedure make() returns (r: int where r < 0);
  modifies g;
procedure main(x: int where x != 5)
  modifies g;
{
  var y: int where y == 2;
  var z: int;
  assert g > 0 && x != 5 && y == 2;
  g := 0;
  havoc g;
  assert g > 0;
  call z := make();
  assert z < 0 && g > 0;
}
