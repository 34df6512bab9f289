//! unreach-call: true
// Branches that have nothing to do with the lock (LCTD, Fig. 5.19).
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int lock = __VERIFIER_nondet_int(), x = 0, y = 0;
  int *p = &y;
  if (lock != 1) return 0;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (__VERIFIER_nondet_int()) x = x + 1; else *p = *p + 1;
  if (lock != 1) reach_error();
  return 0;
}
