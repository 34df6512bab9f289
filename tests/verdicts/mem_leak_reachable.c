//! valid-memsafety: true
// At the end every block is reachable from a global, one of them through the other.
#include <stdlib.h>

struct node { struct node *next; int value; };
static struct node *head;

int main(void) {
  struct node *a = malloc(sizeof *a);
  if (!a) return 0;
  a->next = NULL;
  a->value = 1;
  struct node *b = malloc(sizeof *b);
  if (!b) { free(a); return 0; }
  b->next = a;
  b->value = 2;
  head = b;
  return 0;
}
