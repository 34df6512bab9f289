// Every declaration.
type T, U;
type {:keep} finite Wicket;
type Pair a b, Same a = Pair a a, Grid = [int][int]Same T;
type Deep = [Pair (Pair int bool) [int]bool] Pair T (Same U);

datatype Tree<e> { Leaf(), Node(left: Tree e, value: e, right: Tree e) }
datatype Shape { Circle(radius: int), Square(side: int, radius: int) }

const unique c1, c2: T;
const {:extern} c3: T extends unique c1, c2 complete;
const c4: T extends;
const c5: U complete;
const size: int uses { axiom size > 0; }

function unnamed(int, bool) returns (T);
function named(x, y: int, {:a} z: bool) : T uses { axiom named(1, 2, true) == c1; }
function {:inline} double(x: int) returns (r: int) { x + x }
function {:define} quadruple(x: int) : int { double(double(x)) }
function recursive(x: int) : int { if x <= 0 then 0 else recursive(x - 1) + 1 }
function {:bvbuiltin "bvadd"} ADD(bv32, bv32) returns (bv32);
function {:builtin "fp.add"} FADD(rmode, float24e8, float24e8) returns (float24e8);
revealed function open(grid: Grid) : Deep;
function text(string) : regex;

axiom {:name "first"} FADD(RNE, 0x1.0e0f24e8, 0x0.0e0f24e8) == 0x1.0e0f24e8;
hideable axiom text("a \" b") == text("c");

var g: Tree int;
var s: Shape where s is Circle ==> s->radius > 0;

pure procedure Lemma(x: int);
  requires x > 0;
  ensures double(x) > x;

procedure Trees() returns (t: Tree int)
  modifies g, s;
{
  var l, r: Tree int;
  var i: int;
  t := Node(Leaf(), 1, g);
  t->value := t->value + 1;
  t->left := t->left->(value := 3);
  Node(l, i, r) := t;
  assert t is Node && !(l is Leaf);
  s := Square(i, 4);
}

implementation Trees() returns (u: Tree int)
{
  u := Leaf();
}

datatype Expr { Constant(n: int), Sum(operands: Operands) }
datatype Operands { None(), More(first: Expr, others: Operands) }
datatype Point { Point(x: int, y: int) }
datatype Line { Line(from: Point, to: Point, color: Color) }
datatype Color { Red(), Green() }

procedure Records(l: Line, e: Expr) returns (m: [Point]Line)
  ensures m[l->from] == l;
{
  var o: Operands;
  m[l->from] := l->(to := Point(1, 2));
  m[l->from]->to->x := 3;
  assert m[Point(l->from->x, l->from->y)]->to is Point;
  if (e is Sum) {
    Sum(o) := e;
    assert e != Sum(More(e, None()));
  }
}

const unique origin, corner: Point;
