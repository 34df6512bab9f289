//! valid-memsafety: false(valid-deref)
// alloca of a symbolic size, used as if it had at least four bytes.
// Witness for valid-memsafety: 3
#include <alloca.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 3 || n > 6) return 0;
  char *p = alloca(n);
  p[3] = 1;
  return 0;
}
