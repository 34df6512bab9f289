var g: int;
procedure q();
pure procedure p(x: int)
  requires g == x;
  modifies g;
{
  call q();
}
