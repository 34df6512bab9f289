//! uninitialised: true
// Copying a value that is not there, and computing with it, is no use of it.
struct pair { int a, b; };
static struct pair passed(struct pair p) { return p; }
int main(void) {
  int x;
  unsigned y = (unsigned)x + 1u;
  struct pair p, q;
  p.a = 3;
  q = p;
  q = passed(q);
  unsigned z = y;
  (void)z;
  return q.a == 3 ? 0 : 1;
}
