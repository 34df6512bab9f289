var g: int;
axiom g == 0;
function f() : int { g }
procedure p(x: int where old(g) == x) returns (y: int)
  requires old(g) == 1;
  requires y == 1;
  ensures old(g) == y;
{
  y := old(g);
}
