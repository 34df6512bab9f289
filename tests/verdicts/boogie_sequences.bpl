//! boogie-assert: true
// Sequences are the solver's: their functions reach it as they are.
type {:builtin "Seq"} Seq _;
type Ref;
function {:builtin "seq.empty"} Empty(): Seq int;
function {:builtin "seq.len"} Len<T>(s: Seq T): int;
function {:builtin "seq.++"} Concat<T>(s: Seq T, t: Seq T): Seq T;
function {:builtin "seq.unit"} Unit<T>(v: T): Seq T;
function {:builtin "seq.nth"} Nth(s: Seq int, i: int): int;
function {:builtin "seq.extract"} Extract(s: Seq int, from: int, length: int): Seq int;

procedure Build(r: Ref)
{
  var s: Seq int;
  s := Concat(Empty(), Unit(0));
  s := Concat(Concat(s, Unit(1)), Unit(2));
  assert Len(s) == 3;
  assert Extract(s, 1, 2) == Concat(Unit(1), Unit(2));
  assert Nth(s, 1) == 1;
  assert Len(Concat(Unit(r), Unit(r))) == 2;
}

procedure Unknown(s: Seq int, t: Seq int)
  requires Len(s) > Len(t);
{
  assert s != t;
  assert Len(Concat(s, t)) >= Len(s);
}
