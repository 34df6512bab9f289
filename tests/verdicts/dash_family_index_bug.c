//! unreach-call: false
// Objects of one allocating statement with an array inside, at indices that are inputs.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct box { struct box *next; int values[4]; };

int main(void) {
  struct box *list = 0;
  for (int i = 0; i < 3; i++) {
    struct box *made = malloc(sizeof *made);
    if (!made) exit(0);
    made->next = list;
    for (int k = 0; k < 4; k++) made->values[k] = i;
    list = made;
  }
  unsigned at = __VERIFIER_nondet_uint();
  if (at >= 4) return 0;
  list->next->values[at] = 9;
  if (list->values[at] != 2 || list->next->next->values[at] != 0 || list->next->values[3] == 9)
    reach_error();
  return 0;
}
