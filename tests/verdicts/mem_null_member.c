//! valid-memsafety: false(valid-deref)
// A member of a null struct pointer: the address is small but not zero.
#include <stddef.h>
struct node { struct node *next; int value; };

int main(void) {
  struct node last = { NULL, 1 }, first = { &last, 2 };
  struct node *p = &first;
  while (p->next->value != 3)
    p = p->next;
  return 0;
}
