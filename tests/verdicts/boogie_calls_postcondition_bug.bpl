//! boogie-assert: false
// The postcondition of a body is asserted where it returns, with old values.
var count: int;
procedure add(x: int)
  modifies count;
  ensures count > old(count);
{
  count := count + x;
}
procedure main(x: int)
  requires x >= 0;
  modifies count;
{
  call add(x);
}
