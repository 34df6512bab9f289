//! valid-memsafety: true
//! unreach-call: true
// Pointers that end with what they name, loops, literals and jumps inside a scope.
extern void reach_error(void);
struct pair { int a, b; };
static int sum(const struct pair *p) { return p->a + p->b; }
int main(void) {
  int total = 0;
  for (int i = 0; i < 2; i++) {
    struct pair *p = &(struct pair){i, i};
    int *q = &p->b;
    while (*q < 3) (*q)++;
    total += sum(p);
    switch (i) {
      int x;
    case 0:
      x = 4;
      q = &x;
      total += *q;
      break;
    case 1: goto again;
    }
    {
    again:;
      int y = 5, *r = &y;
      total += *r;
    }
  }
  if (total != 3 + 4 + 4 + 5 + 5) reach_error();
  return 0;
}
