//! unreach-call: true
// A function is called before anything declares it, so it is taken to return int.
main() {
  int x = later(3, 4);
  if (x != 7) reach_error();
  return 0;
}

later(a, b) {
  return a + b;
}
