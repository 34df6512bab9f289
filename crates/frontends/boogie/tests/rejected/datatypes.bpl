datatype D { A(x: int), B(x: bool, y: int), A() }
procedure p(d: D) returns (i: int)
{
  i := d->z;
  i := d->y->y;
  assert d is Z;
  assert i is A;
  B(i, i) := d;
  p(i) := d;
}
