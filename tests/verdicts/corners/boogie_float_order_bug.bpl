//! boogie-assert: false
// Two floats that are not less than each other may be zeros of two signs, which are not the same.
procedure main()
{
  var x, y: float24e8;
  assume x <= y && y <= x;
  assert x == y;
}
