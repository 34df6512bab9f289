const c: int;
var c: bool;
type T;
type T;
function f(int) : int;
function f(bool) : bool;
procedure p(x: int, x: bool) { var x: int; }
procedure p();
