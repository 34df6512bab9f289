function any<T>(): T;
procedure P(y: bv8, i: int)
{
  var x: bv32;
  assert any() ++ y == any() ++ any();
  x := i ++ y;
  x := (y ++ y) ++ y;
  assert any() ++ x == y;
}
