//! boogie-assert: false
// One of several targets, chosen arbitrarily.
procedure main()
{
  var x: int;
  start:
    x := 0;
    goto a, b, c;
  a: assume x > 0; assert false; return;
  b: x := x + 1; goto d;
  c: x := x + 2; goto d;
  d: assert x != 2; return;
}
