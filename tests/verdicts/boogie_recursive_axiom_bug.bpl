//! boogie-assert: false
// A counterexample needs the values of a function that an axiom defines by recursion: the third product is wrong.
function factorial(int): int;
axiom factorial(0) == 1;
axiom (forall n: int :: 1 <= n ==> factorial(n) == n * factorial(n - 1));
procedure main(n: int)
  requires 1 <= n;
{
  var i, product: int;
  i, product := 1, 1;
  while (i < n)
  {
    i := i + 1;
    product := if i < 3 then product * i else product + product;
  }
  assert product == factorial(n);
}
