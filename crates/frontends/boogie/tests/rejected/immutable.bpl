const c: int;
var g: int;
procedure p(x: int) returns (y: int)
{
  c := 1;
  x := 2;
  havoc c;
  y, y := 1, 2;
  y, g := 1;
}
