function f(int) : int;
axiom (forall x, y: int :: { f(x) } x < y);
axiom (forall x: int :: { x } x < 1);
axiom (forall x: int :: { f(x) < 1 } x < 1);
axiom (forall x: int :: { f(x) == 1 && true } x < 1);
