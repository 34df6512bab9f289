procedure p()
{
  var {:assumption} a: int;
  var {:assumption} b: bool where b;
  b := true;
  b := b && true;
  b := b && false;
}
