var g: int;
var {:volatile} h: [int]int where h[0] == 0;
var w: [int, bool][int]bool;
var v: [int, bool][int]bool;
procedure {:entrypoint} main(n: int where n >= 0) returns (r: int where r > n, s: bool);
  requires {:msg "start"} n < 100;
  free requires n != 7;
  modifies g, h;
  modifies w;
  ensures s ==> r > n;
  free ensures true;
procedure Abstract(x: int, b: bool) returns (y: int, z: int);
  ensures y >= x;
implementation {:verify true} main(m: int) returns (q: int, s: bool)
{
  var i: int where i <= 10;
  var j: int where i <= 10;
  var {:used} k: bv8;
start:
  i, j := 0, m;
  h[i] := h[j] + 1;
  w[i, true][j] := false;
  h[i], g := g, h[i];
  havoc g, k;
  assume {:partition} g > 0;
  assert {:sourceloc "file.c", 12, 3} {:check_id 5} g >= 1;
  goto middle, end;
middle:
  while (i < j)
    invariant {:tag} i <= j;
    free invariant g > 0;
  {
    if (h[i] == 0) {
      break;
    } else if (*) {
      i := i + 1;
    } else {
    outer:
      while (*)
      {
        if (g == 1) {
          break outer;
        }
        goto end;
      }
      return ;
    }
  }
  call q, j := Abstract(i, s);
  call *, j := Abstract(*, true);
  call {:si_unique_call 3} q, j := Abstract(1, false);
named:
  if (s) {
    break named;
  }
end:
  q := m + 1;
  return ;
}
procedure Empty()
{
}
