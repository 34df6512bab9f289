//! no-overflow: true
// A long has 64 bits under LP64: adding one to any int fits.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  long x = __VERIFIER_nondet_int();
  x = x + 1;
  return x == 0;
}
