//! unreach-call: true
// Inline assembly that may change any memory: reaching it is unsupported, and only then.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int value = 1;
  if (__VERIFIER_nondet_int()) __asm__ volatile("mfence" : : : "memory");
  if (value != 1) reach_error();
  return 0;
}
