//! bounds: true
//! valid-memsafety: true
// Before C99 an array of one element at the end of a structure stood for as many as there was memory for.
#include <stdlib.h>
struct text { int length; char bytes[1]; };
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 4) return 0;
  struct text *t = malloc(sizeof *t + n);
  t->length = n;
  for (int i = 0; i <= n; i++) t->bytes[i] = 'x';
  free(t);
  return 0;
}
