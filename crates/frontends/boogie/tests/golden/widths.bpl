type {:builtin "Seq"} Seq _;
function any<T>() returns (T);
function {:builtin "seq.len"} length<T>(s: Seq T) returns (int);
procedure Widths(y: bv8, s: Seq bv8)
{
  var x: bv32;
  x := any() ++ y;
  assert x == y ++ any() ++ y[4:0] ==> length(s) >= 0;
  assert y ++ (any() ++ y) == x || (y ++ y)[12:0] == x[12:0];
}
