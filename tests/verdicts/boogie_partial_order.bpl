//! boogie-assert: true
// The partial order of old programs, with order clauses.
type T;
const unique top: T extends complete;
const unique left: T extends unique top;
const unique right: T extends unique top;
const unique leaf: T extends left;
procedure main(x: T, y: T, z: T)
{
  assert x <: x;
  assert x <: y && y <: z ==> x <: z;
  assert x <: y && y <: x ==> x == y;
  assert leaf <: top && !(top <: leaf);
  assert x <: left ==> !(x <: right);
  assert leaf <: x ==> x == leaf || x == left || x == top;
  assert x <: top ==> x == top || x <: left || x <: right;
}
