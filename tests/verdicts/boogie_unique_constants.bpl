//! boogie-assert: true
// Unique constants differ, many of them too.
type colour;
const unique a, b, c, d, e, f, g, h, i, j, k, l, m, n: colour;
const unique one, two: int;
procedure main(x: colour)
{
  assert a != b && a != n && one != two;
  assert !(x == c && x == m);
}
