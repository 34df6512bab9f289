//! unreach-call: true
//! valid-memsafety: true
// A pointer is redirected through a pointer to it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int x = 1, y = 2;

static void redirect(int **where, int *target) { *where = target; }

int main(void) {
  int *p = &x, **pp = &p, ***ppp = &pp;
  if (__VERIFIER_nondet_int() > 0) redirect(*ppp, &y);
  **pp = 7;
  if ((x == 7) == (y == 7)) reach_error();
  if (p != *pp || &p != *ppp) reach_error();
  return 0;
}
