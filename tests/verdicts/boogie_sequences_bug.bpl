//! boogie-assert: false
// Concatenation does not commute.
type {:builtin "(Seq Int)"} Ints;
function {:builtin "seq.len"} Len(s: Ints): int;
function {:builtin "seq.++"} Concat(s: Ints, t: Ints): Ints;

procedure Commute(s: Ints, t: Ints)
  requires Len(s) == 1 && Len(t) == 1;
{
  assert Len(Concat(s, t)) == 2;
  assert Concat(s, t) == Concat(t, s);
}
