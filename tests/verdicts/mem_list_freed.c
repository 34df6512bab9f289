//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A list of symbolic length is built, summed and freed.
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct node { struct node *next; unsigned value; };

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 4, sum = 0;
  struct node *head = NULL;
  for (unsigned i = 1; i <= n; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh) break;
    fresh->value = i;
    fresh->next = head;
    head = fresh;
  }
  while (head) {
    struct node *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  if (sum > n * (n + 1) / 2) reach_error();
  return 0;
}
