//! boogie-assert: true
// Maps over several bit-vectors, written down to the element and as a whole.
function {:bvbuiltin "bvadd"} add(bv32, bv32): bv32;
var shared: [bv1][bv32]bv32;
var pair: [bv1, bv32]bv32;
var rows: [bv1][bv32]bv32;
procedure main(g: bv1, i: bv32, j: bv32)
  modifies shared, pair, rows;
{
  var before: [bv1][bv32]bv32;
  var row: [bv32]bv8;
  var table: [bv1][bv32]bv8;
  before := shared;
  shared[1bv1][i] := 5bv32;
  shared[g][add(i, 1bv32)] := 6bv32;
  assert shared[1bv1][i] == 5bv32;
  assert g == 1bv1 ==> shared[1bv1][add(i, 1bv32)] == 6bv32;
  assert g == 0bv1 ==> shared[1bv1][add(i, 1bv32)] == before[1bv1][add(i, 1bv32)];
  assert shared == before ==> before[1bv1][i] == 5bv32;
  pair[g, i] := 7bv32;
  assert pair[g, j] == 7bv32 || i != j;
  assert old(pair)[g, j] == pair[g, j] || i == j;
  // This one is taken apart, so it stays a map of maps.
  table[0bv1][i] := 3bv8;
  row := table[0bv1];
  assert row[i] == 3bv8;
}
