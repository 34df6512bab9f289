//! boogie-assert: false
// The precondition of a call is asserted.
procedure half(x: int) returns (y: int)
  requires x mod 2 == 0;
{
  y := x div 2;
}
procedure main(n: int)
  requires n > 0;
{
  var r: int;
  call r := half(2 * n);
  call r := half(r);
}
