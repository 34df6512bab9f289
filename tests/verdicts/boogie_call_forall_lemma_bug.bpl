//! boogie-assert: false
// A procedure that serves as a lemma is checked too, although nothing calls it.
procedure at_most(x: int)
  requires x >= 0;
  ensures x <= 100;
{
}

procedure main(a: int)
  requires a >= 0;
{
  call forall at_most(*);
  assert a <= 100;
}
