//! unreach-call: true
//! valid-memsafety: true
//! flags: --32
// Integers and pointers are converted without casts, which keeps the value on a 32-bit target.
extern void reach_error();

struct a { int x; };
struct b { int y; };

int main() {
  int n = 4;
  int word = &n;
  int *p = word;
  *p = 5;
  if (n != 5) reach_error();
  struct a s = { 3 };
  struct b *q = &s;
  if (q->y != 3) reach_error();
  char *z = 0;
  if (z != 0 || p == 0) reach_error();
  return 0;
}
