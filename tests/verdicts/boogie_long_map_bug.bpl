//! boogie-assert: false
// Five thousand writes at offsets of one base, and a read behind all of them.
procedure main(base: int)
{
  var m: [int]int;
  var i: int;
  i := 0;
  while (i < 5000)
  {
    m[base + 4 * i] := i;
    i := i + 1;
  }
  i := 0;
  while (i < 5000)
  {
    m[base + 4 * i] := m[base + 4 * i] + 1;
    i := i + 1;
  }
  assert m[base] == 1 && m[base + 19996] == 4999;
}
