var m: [int]bool;
procedure p(x: int)
{
  var b: bool;
  b := x;
  b := m[b];
  b := m[1, 2];
  b := x[1];
  m[1] := 2;
  b := x + 1.0;
  b := b < b;
  b := if x then b else x;
  assert x;
  assume x == b;
}
