//! boogie-assert: true
// `*` is any value; what is free is assumed and never checked.
procedure any(x: int) returns (y: int);
  free requires x > 1000;
  ensures y > x;
procedure pick(x: int) returns (y: int)
  free ensures y >= 0;
{
  y := x;
}
procedure main()
{
  var a: int;
  call a := any(3);
  assert a > 3;
  call a := pick(*);
  assert a >= 0;
}
