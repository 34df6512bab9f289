//! uninitialised: false
// The other member of a copied struct is looked at.
struct pair { int a, b; };
static struct pair passed(struct pair p) { return p; }
int main(void) {
  struct pair p, q;
  p.a = 3;
  q = passed(p);
  return q.b == 3 ? 0 : 1;
}
