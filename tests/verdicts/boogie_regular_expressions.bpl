//! boogie-assert: true
// Strings that are not known, and regular expressions.
function {:builtin "str.len"} Length(s: string): int;
function {:builtin "str.++"} Concat(s: string, t: string): string;
function {:builtin "str.to.re"} Exactly(s: string): regex;
function {:builtin "str.in.re"} Matches(s: string, r: regex): bool;
function {:builtin "re.*"} Star(r: regex): regex;
function {:builtin "re.++"} Then(r: regex, q: regex): regex;
function {:builtin "re.range"} Range(a: string, b: string): regex;
function {:builtin "re.loop"} Loop(r: regex, least: int, most: int): regex;

procedure Digits(s: string)
  requires Matches(s, Loop(Range("0", "9"), 1, 3));
{
  assert Length(s) >= 1 && Length(s) <= 3;
  assert s != "abc";
  assert Length(Concat(s, "x")) == Length(s) + 1;
  assert Matches("aab", Then(Star(Exactly("a")), Exactly("b")));
  assert !Matches("aba", Then(Star(Exactly("a")), Exactly("b")));
}
