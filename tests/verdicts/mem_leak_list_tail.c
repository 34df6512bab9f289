//! valid-memsafety: false(valid-memtrack)
// Only the head of a list is freed.
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
  struct node *a = malloc(sizeof *a);
  struct node *b = malloc(sizeof *b);
  if (!a || !b) return 0;
  a->next = b;
  b->next = NULL;
  free(a);
  return 0;
}
