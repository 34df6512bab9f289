//! boogie-assert: false
// One of the executions returns false.
procedure main(i: int)
{
  assert |{ var x: int; A: havoc x; goto B, C; B: return x == x; C: return x >= i; }|;
}
