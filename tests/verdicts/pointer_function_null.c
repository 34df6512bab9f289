//! unreach-call: true
//! valid-memsafety: true
// A null function pointer is not called; comparison with null decides.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int seven(void) { return 7; }

int main(void) {
  int (*f)(void) = 0;
  if (__VERIFIER_nondet_int()) f = seven;
  int r = f ? f() : 0;
  if (r != 0 && r != 7) reach_error();
  if ((f == seven) != (r == 7)) reach_error();
  return 0;
}
