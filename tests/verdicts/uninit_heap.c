//! uninitialised: true
// malloc gives memory without a value, calloc gives zeros.
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *one = malloc(sizeof *one), *two = calloc(1, sizeof *two);
  int bad = 0;
  if (one && two) {
    one->value = 1;
    one->next = two;
    for (struct node *n = one; n; n = n->next)
      bad |= n->value > 1;
  }
  free(one);
  free(two);
  return bad;
}
