const w: int;
axiom (1:2) == w;
