//! boogie-assert: false
// Where clauses are promises about arbitrary values: what a body assigns may break them, and so may an argument.
var g: int;
procedure out() returns (r: int where r > 0)
  ensures true;
{
  r := 0;
}
procedure argument(n: int where n > 0)
  requires true;
{
  assert n > 0;
}
procedure main()
{
  var x: int;
  call x := out();
  assert x <= 0;
  call argument(x);
}
