axiom (forall x: int where x > 0 :: x > 0);
procedure p(x: int where x);
implementation p(x: int where x > 0) { }
