//! boogie-assert: true
// A bit-vector of width 0 has one value, which adds nothing where it is appended.
type T;
var table: [bv0]int;
var grid: [bv0, bv4]bv0;
function same(x: bv0, y: bv0) returns (bv0);
function pick<a>(x: a, y: a) returns (a);
function number(x: bv0) returns (int);
axiom (forall x: bv0 :: {number(x)} number(x) > 3);

procedure change(x: bv0) returns (y: bv0, z: int)
  modifies table;
  ensures z == old(table)[y] + 1;
{
  y := x;
  z := table[x] + 1;
  table := table[x := z];
}

procedure main(a: bv0, b: bv8)
  modifies table, grid;
{
  var none: bv0;
  var copy: bv8;
  var z: int;
  none := 0bv0;
  copy := b ++ none;
  assert copy == b && none ++ b == b && none ++ a == a;
  assert b[3:3] == none && a[0:0] == none;
  assert same(a, none) == pick(a, none);
  table[a] := 3;
  call none, z := change(a);
  assert table[0bv0] == 4 && z == 4 && none == a;
  havoc grid, none;
  assert grid[none, 3bv4] == grid[a, 5bv4];
  assert number(a) > 3;
  assert (forall x: bv0, y: bv0 :: x == y);
  assert (lambda x: bv0 :: 5)[none] == 5;
  assert (if b == 0bv8 then a else none) == 0bv0;
}
