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
var changed: int;
procedure changes(); modifies changed;
procedure lemmas()
{
  var a: int; var b: bool;
  call forall changes();
  call forall a, b := q(*);
  call forall q(*);
}
