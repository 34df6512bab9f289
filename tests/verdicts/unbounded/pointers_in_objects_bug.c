//! unreach-call: false
// A pointer alternates between two objects that point to each other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct s{int v; struct s*o;} A, B;

int main(void) {
  struct s*p = &A;
  A.o = &B;
  B.o = &A;
  int n = 0;
  while (__VERIFIER_nondet_int()) {
    p = p->o;
    p->v++;
    n++;
    if (B.v == 12) reach_error();
  }
  return 0;
}
