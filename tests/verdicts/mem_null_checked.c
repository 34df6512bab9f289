//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A walk over a list on the stack that stops at the null pointer.
#include <stddef.h>
extern void reach_error(void);
struct node { int value; struct node *next; };

int main(void) {
  struct node last = { 1, NULL }, middle = { 2, &last }, first = { 3, &middle };
  int sum = 0;
  for (struct node *p = &first; p; p = p->next)
    sum += p->value;
  if (sum != 6) reach_error();
  return 0;
}
