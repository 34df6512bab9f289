//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A struct with a flexible array member: its size excludes the array, the allocation includes it.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct packet { unsigned length; short data[]; };

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 4;
  if (sizeof(struct packet) != 4) reach_error();
  struct packet *p = malloc(sizeof *p + n * sizeof p->data[0]);
  if (!p) return 0;
  p->length = n;
  for (unsigned i = 0; i < p->length; i++)
    p->data[i] = (short)(i * i);
  if (n > 2 && p->data[2] != 4) reach_error();
  free(p);
  return 0;
}
