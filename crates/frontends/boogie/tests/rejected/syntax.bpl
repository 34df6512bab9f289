procedure p() { x := ; }
function f(int) returns int;
axiom a < b < c;
axiom a && b || c;
axiom a ==> b <== c;
const c int;
procedure q() { assume true }
