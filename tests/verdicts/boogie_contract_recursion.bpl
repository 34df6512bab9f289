//! boogie-assert: true
// The contract proves what no exploration of recursion could.
procedure sum(n: int) returns (r: int)
  requires n >= 0;
  ensures 2 * r == n * (n + 1);
{
  r := 0;
  if (n > 0) {
    call r := sum(n - 1);
    r := r + n;
  }
}
procedure main(n: int)
{
  var r: int;
  assume n >= 0;
  call r := sum(n);
  assert r >= n;
}
