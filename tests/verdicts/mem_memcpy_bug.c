//! valid-memsafety: false(valid-deref)
// memcpy reads behind the end of its source.
// Witness for valid-memsafety: 6
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char from[5] = "abcd", to[8];
  unsigned n = __VERIFIER_nondet_uint();
  if (n > sizeof to) return 0;
  memcpy(to, from, n);
  return 0;
}
