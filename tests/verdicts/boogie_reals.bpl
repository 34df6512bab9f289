//! boogie-assert: true
// Reals are exact.
procedure main(x: real)
  requires x > 0.5;
{
  assert 0.1 + 0.2 == 0.3;
  assert x * 2.0 > 1.0;
  assert int(2.7) == 2 && real(3) == 3.0;
}
