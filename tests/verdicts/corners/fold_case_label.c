//! no-overflow: false
// A label that no int is.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    case 2147483647 + 1: return 1;
    default: return 0;
  }
}
