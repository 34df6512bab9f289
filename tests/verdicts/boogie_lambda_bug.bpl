//! boogie-assert: false
// A lambda captures values, not variables.
procedure main(c: int)
{
  var m: [int]int;
  var d: int;
  d := c;
  m := (lambda x: int :: x + d);
  d := 100;
  assert m[1] == 101;
}
