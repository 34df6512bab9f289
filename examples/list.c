// A list that forgets a node: removing the last element loses its memory. Try:
//   fathom verify examples/list.c --property valid-memsafety
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

static struct node *insert(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  if (!node) exit(1);
  node->value = value;
  node->next = list;
  return node;
}

static struct node *remove_first(struct node *list) {
  if (!list->next) return NULL; // the node itself is forgotten here
  struct node *rest = list->next;
  free(list);
  return rest;
}

int main(void) {
  struct node *list = NULL;
  int count = __VERIFIER_nondet_int();
  if (count < 0 || count > 3) return 0;
  for (int i = 0; i < count; i++) list = insert(list, i);
  while (list) list = remove_first(list);
  return 0;
}
