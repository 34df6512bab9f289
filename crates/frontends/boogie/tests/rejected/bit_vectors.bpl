const v: bv8;
const w: int;
axiom v[9:0] == v;
axiom v[3:5] == v;
axiom w[1:0] == v;
axiom v ++ w == v;
axiom 256bv8 == v;
