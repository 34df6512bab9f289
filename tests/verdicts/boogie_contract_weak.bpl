//! boogie-assert: true
// The contract says too little, but calls run bodies.
var g: int;
procedure set(n: int)
  modifies g;
  ensures g > 0;
{
  g := 7;
}
procedure main()
  modifies g;
{
  call set(1);
  assert g == 7;
}
