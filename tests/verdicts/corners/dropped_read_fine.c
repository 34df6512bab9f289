//! valid-memsafety: true
// Objects that are there may be named; operands of sizeof and & are not read.
struct s { int a, b; struct { int c; } in; } *nothing;
int main(void) {
  struct s s = {1, 2, {3}}, *p = &s;
  s;
  *p;
  p->in;
  (void)*p;
  s.a ? *p : s;
  &*nothing;
  return sizeof(*nothing) + sizeof nothing->in - 16;
}
