//! boogie-assert: false
// It need not be total.
type T;
procedure main(x: T, y: T)
{
  assert x <: y || y <: x;
}
