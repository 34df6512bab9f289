//! uninitialised: false
// The end of a list is not marked: its pointer is followed.
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *one = malloc(sizeof *one);
  int sum = 0;
  if (!one)
    return 0;
  one->value = 1;
  for (struct node *n = one; n; n = n->next)
    sum += 1;
  return 0;
}
