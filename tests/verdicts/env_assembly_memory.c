//! unreach-call: true
// Inline assembly that says that it changes memory is a barrier: what it has no pointer to stays as it is.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int value = 1;
  if (__VERIFIER_nondet_int()) __asm__ volatile("mfence" : : : "memory");
  if (value != 1) reach_error();
  return 0;
}
