type T;
const unique top: T extends  complete;
const \left: T extends unique top;
const \right: T extends unique top;
var g: bool;
procedure {:inline 1} read() returns (l: bool)
{
  l := g;
}
procedure main(x: int, t: T)
  requires |{
  var z: bool;
A:
  z := x > 0;
  goto B, C;
B:
  assume z;
  return true;
C:
  return false;
}|;
{
  assume t <: top;
  assert |{
    var l: bool;
  A:
    call l := read();
    havoc l;
    return l ==> l;
  }|;
}
