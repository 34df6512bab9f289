//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Unions and structs with mixed classes are passed and returned in the right registers.
extern void reach_error(void);

union number { long n; double d; };
struct mixed { float f; int i; double d; };
struct floats { float x, y, z; };

static union number twice(union number v) { v.n *= 2; return v; }
static struct mixed shift(struct mixed m) { m.i = (int)m.f; m.d = m.i; return m; }
static float total(struct floats a, struct floats b) { return a.x + a.y + a.z + b.x + b.y + b.z; }

int main(void) {
  union number u = { 21 };
  if (twice(u).n != 42) reach_error();
  struct mixed m = shift((struct mixed){ 2.5f, 0, 0 });
  if (m.i != 2 || m.d != 2.0 || m.f != 2.5f) reach_error();
  if (total((struct floats){ 1, 2, 3 }, (struct floats){ 4, 5, 6 }) != 21.0f) reach_error();
  return 0;
}
