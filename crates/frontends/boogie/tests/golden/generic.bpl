type Box;
type List a;
function Wrap<a>(x: a) returns (Box);
function Unwrap<a>(b: Box) returns (a);
function Nil<a>() returns (List a);
function Cons<a>(x: a, l: List a) returns (List a);
function Length<a>(l: List a) returns (int);
function {:inline} Id<a>(x: a) returns (a) { x }
axiom (forall<a> x: a :: { Wrap(x) } Unwrap(Wrap(x)) == x);
axiom (forall<a> x: a, l: List a :: { Cons(x, l) } Length(Cons(x, l)) == Length(l) + 1);
axiom Length(Nil() : (List int)) == 0;
procedure Swap<a>(x: a, y: a) returns (x': a, y': a)
  ensures x' == y && y' == x;
{
  x', y' := y, x;
}
implementation Swap<b>(p: b, q: b) returns (r: b, s: b)
{
  r := Id(q);
  s := Id(p);
}
procedure Client(l: List bool)
{
  var i: int;
  var j: int;
  var b: bool;
  var m: <a>[a]int;
  call i, j := Swap(1, 2);
  call b, * := Swap(true, *);
  m[i] := 3;
  m[b] := m[i] + Length(Cons(b, l));
  assert Unwrap(Wrap(i)) == i;
  assert m == m[true := m[true]];
  m := (lambda<a> x: a :: 0);
}
