//! boogie-assert: true
// Literals are different strings, and functions of literals are computed.
function {:builtin "str.++"} concat(string, string): string;
function {:builtin "str.len"} len(string): int;
function {:builtin "str.substr"} substr(string, int, int): string;
function {:builtin "str.indexof"} index(string, string): int;
function {:builtin "str.replace"} replace(string, string, string): string;
procedure main(s: string)
{
  assert "a" != "b";
  assert s == "a" ==> s != "b";
  assert concat("ab", "cd") == "abcd" && len(concat("ab", "")) == 2;
  assert substr("abcd", 1, 2) == "bc" && index("abcd", "dc") == -1;
  assert replace("aBCd", "BC", "bc") == "abcd";
}
