//! boogie-assert: true
// A call runs the body.
procedure fib(n: int) returns (r: int)
{
  var a, b: int;
  if (n < 2) { r := n; return; }
  call a := fib(n - 1);
  call b := fib(n - 2);
  r := a + b;
}
procedure main()
{
  var r: int;
  call r := fib(9);
  assert r == 34;
}
