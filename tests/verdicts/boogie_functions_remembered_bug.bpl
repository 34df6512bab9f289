//! boogie-assert: false
// Two paths come to the same state at the loop, but not with the same knowledge about a function and a type that the
// state does not mention.
function f(x: int) returns (int);
type T;

procedure first()
{
  var i: int;
  if (f(0) == 1) { i := 0; } else { i := 0; }
  while (i < 2) { i := i + 1; }
  assert f(0) != 1;
}

procedure second(x: T, y: T)
{
  var i: int;
  i := 0;
  if (*) { assume (forall a: T, b: T :: a == b); }
  while (i < 2) { i := i + 1; }
  assert (exists a: T, b: T :: a != b);
}
