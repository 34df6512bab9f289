procedure p()
{
  x := y + 1;
  call q();
  assert f(1);
}
implementation r() { }
var v: Missing;
