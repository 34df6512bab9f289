//! boogie-assert: true
// A lambda is a map; let names a value.
procedure main(c: int)
{
  var m: [int]int;
  m := (lambda x: int :: x + c);
  assert m[5] == c + 5;
  m[5] := 0;
  assert m[6] == c + 6 && m[5] == 0;
  assert (var t := c + 1; t * 2 == 2 * c + 2);
}
