//! boogie-assert: false
// Nobody knows what a division by zero gives.
procedure main(x: int)
{
  assert x div 0 == 0;
}
