//! boogie-assert: true
// Division is Euclidean; by zero it gives some value, the same for the same dividend.
procedure main(x: int, y: int)
  requires y != 0;
{
  assert 7 div 2 == 3 && 7 mod 2 == 1;
  assert (0 - 7) div 2 == 0 - 4 && (0 - 7) mod 2 == 1;
  assert 7 div (0 - 2) == 0 - 3 && 7 mod (0 - 2) == 1;
  assert (0 - 7) div (0 - 2) == 4 && (0 - 7) mod (0 - 2) == 1;
  assert x mod 5 >= 0 && x mod 5 < 5;
  assert x == 5 * (x div 5) + x mod 5;
  assert x div 0 == x div 0;
}
