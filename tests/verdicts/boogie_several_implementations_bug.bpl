//! boogie-assert: false
// Any of the implementations may run.
procedure choose() returns (r: int);
implementation choose() returns (r: int) { r := 1; }
implementation choose() returns (r: int) { r := 2; }
implementation choose() returns (r: int) { r := 3; }
procedure main()
{
  var a: int;
  call a := choose();
  assert a != 3;
}
