type A = B;
type B = [int]A;
type P a;
var x: P;
var y: P int bool;
var z: int;
type bv8;
function f<a>(x: int) : int;
procedure p<a>();
var w: <a>[int]bool;
function g<a, a>(x: a) : a;
datatype D { C(d: D) }
