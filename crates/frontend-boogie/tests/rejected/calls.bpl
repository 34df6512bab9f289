procedure q(x: int) returns (y: int, z: bool);
procedure p()
{
  var a: int; var b: bool;
  call q(1);
  call a, b := q();
  call b, a := q(1);
  call a, a := q(2);
  call a, b := q(true);
}
