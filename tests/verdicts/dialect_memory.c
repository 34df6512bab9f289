//! assertion: true
//! valid-memsafety: true
// Questions about objects, which access nothing: of what lives, of what has ended, of null.
#include <stdlib.h>

int table[5];
const char text[] = "text";

int main(void) {
  long *p = malloc(3 * sizeof(long));
  __CPROVER_assert(__CPROVER_r_ok(p) && __CPROVER_w_ok(p + 2) && !__CPROVER_r_ok(p + 3), "elements");
  __CPROVER_assert(__CPROVER_rw_ok(p, 24) && !__CPROVER_rw_ok(p, 25) && __CPROVER_r_ok((char *)p + 23, 1), "bytes");
  __CPROVER_assert(!__CPROVER_r_ok((char *)p - 1, 1) && !__CPROVER_r_ok((char *)0, 1), "nowhere");
  __CPROVER_assert(__CPROVER_r_ok(text, 5) && !__CPROVER_w_ok(text, 1), "constants");
  __CPROVER_assert(__CPROVER_OBJECT_SIZE(table + 1) == sizeof table && __CPROVER_POINTER_OFFSET(table + 2) == 8, "size and offset");
  __CPROVER_assert(__CPROVER_same_object(table, table + 4) && !__CPROVER_same_object(table, p), "identity");
  __CPROVER_assert(__ESBMC_same_object(p, p + 1) && __ESBMC_POINTER_OFFSET(p + 1) == sizeof(long), "ESBMC's names");
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(table), "heap");
  free(p);
  long *q = malloc(3 * sizeof(long));
  __CPROVER_assert(!__CPROVER_r_ok(p, 1) && !__CPROVER_same_object(p, q), "it has ended");
  free(q);
  return 0;
}
