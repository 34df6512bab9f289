//! unreach-call: false
// A list that a recursive procedure builds on the heap.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };

struct node *build(int length) {
  if (length == 0)
    return 0;
  struct node *made = malloc(sizeof *made);
  if (!made)
    exit(0);
  made->next = build(length - 1);
  made->value = length;
  return made;
}

int main(void) {
  struct node *list = build(3);
  if (list->value != 3 || list->next->value != 1 || list->next->next->next != 0)
    reach_error();
  return 0;
}
