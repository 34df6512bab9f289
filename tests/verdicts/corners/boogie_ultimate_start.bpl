//! boogie-assert: true
// ULTIMATE.start is where programs of Ultimate begin, also if they have a main.
var counter: int;

procedure main()
modifies counter;
{
  assert counter == 3;
  counter := counter + 1;
}

procedure ULTIMATE.start()
modifies counter;
{
  counter := 3;
  call main();
  assert counter == 4;
}
