//! boogie-assert: true
// div and mod are Euclidean, int() rounds down.
procedure main()
{
  var a, b: int;
  assert (-7) div 2 == -4 && (-7) mod 2 == 1;
  assert 7 div (-2) == -3 && 7 mod (-2) == 1;
  assert (-7) div (-2) == 4 && (-7) mod (-2) == 1;
  assert int(-2.5) == -3 && int(2.5) == 2 && 7 / 2 == 3.5;
}
