//! valid-memsafety: false(valid-deref)
// A member of a null struct pointer: the address is small but not zero.
#include <stddef.h>
struct node { int value; struct node *next; };

int main(void) {
  struct node last = { 1, NULL }, first = { 2, &last };
  struct node *p = &first;
  while (p->next->value != 3)
    p = p->next;
  return 0;
}
