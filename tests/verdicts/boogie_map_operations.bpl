//! boogie-assert: true
// Operations on whole maps.
type X;
function {:builtin "MapAdd"} add([X]int, [X]int): [X]int;
function {:builtin "MapIte"} choose([X]bool, [X]int, [X]int): [X]int;
function {:builtin "MapGt"} greater([X]int, [X]int): [X]bool;
function {:builtin "MapNot"} not([X]bool): [X]bool;
function {:builtin "MapConst"} everywhere(bool): [X]bool;
procedure main(a: [X]int, b: [X]int, x: X)
{
  assert add(a, b)[x] == a[x] + b[x];
  assert choose(greater(a, b), a, b)[x] >= b[x];
  assert not(everywhere(false)) == everywhere(true);
  assert add(a, b) == add(b, a);
}
