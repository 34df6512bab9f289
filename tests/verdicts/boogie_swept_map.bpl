//! boogie-assert: true
// Loops through maps, without invariants: what was written up to the counter, and what a flag says of all elements.
procedure check(x: int)
{
  assert x != 0;
}
procedure main(base: int, other: int, size: int)
{
  var m, n: [int]int;
  var i, j, same: int;
  i := 0;
  while (i < size)
  {
    m[base + 4 * i] := 42;
    i := i + 1;
  }
  i, same := 0, 1;
  while (i < size)
  {
    if (m[base + 4 * i] != n[other + i]) { same := 0; }
    i := i + 1;
  }
  if (same != 0)
  {
    j := 0;
    while (j < size)
    {
      call check(if n[other + j] == 42 then 1 else 0);
      call check(if m[base + 4 * j] == n[other + j] then 1 else 0);
      j := j + 1;
    }
  }
}
