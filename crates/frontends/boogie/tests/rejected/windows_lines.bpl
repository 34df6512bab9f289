const a: int;

axiom a == é;
axiom b;
