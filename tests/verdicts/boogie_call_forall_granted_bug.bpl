//! boogie-assert: false
// What a lemma takes for granted, in a where clause or a free precondition, it does not show of all values.
procedure between(x: int where x > 0)
  free requires x < 100;
  ensures 0 < x && x < 100;
{
}

procedure main(a: int)
{
  call forall between(*);
  assert 0 < a;
}
