//! boogie-assert: false
// The globals of a program of Ultimate have the values that its start gave them.
var counter: int;

procedure helper()
{
  assert counter == 3;
}

procedure ULTIMATE.start()
modifies counter;
{
  counter := 2;
  call helper();
}
