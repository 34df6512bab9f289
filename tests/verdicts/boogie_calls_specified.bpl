//! boogie-assert: true
// A procedure without a body is its specification: what it may change is arbitrary but for the postconditions.
var g: int;
var h: int;
procedure next(x: int) returns (y: int);
  requires x >= 0;
  modifies g;
  ensures y == x + 1;
  ensures g == old(g) + x;
procedure main()
  modifies g, h;
{
  var a: int;
  g := 5;
  h := 7;
  call a := next(3);
  assert a == 4 && g == 8 && h == 7;
  call a := next(g);
  assert g == 16;
}
