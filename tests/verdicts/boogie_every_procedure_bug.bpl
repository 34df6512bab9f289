//! boogie-assert: false
// Without an entry every procedure is one.
procedure fine(x: int) requires x > 2; { assert x > 1; }
procedure wrong(x: int) { assert x != 77; }
procedure {:inline 1} part(x: int) { assert x == 1; }
procedure {:verify false} left_out() { assert false; }
