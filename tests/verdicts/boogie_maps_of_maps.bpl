//! boogie-assert: true
// Maps with several arguments, maps of maps, and equality of maps.
type ref;
var heap: [ref][int]int;
var grid: [int,bool]int;
procedure main(r: ref, s: ref)
  requires r != s;
  modifies heap, grid;
{
  var before: [ref][int]int;
  before := heap;
  heap[r][3] := 7;
  assert heap[s] == before[s];
  assert heap[r][3] == 7 && heap[r][4] == before[r][4];
  heap[r][3] := before[r][3];
  assert heap == before;
  grid[1, true] := 5;
  grid[1, false] := 6;
  assert grid[1, true] == 5;
}
