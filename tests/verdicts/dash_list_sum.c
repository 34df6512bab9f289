//! unreach-call: true
// One statement makes all nodes of a list; the links between them are loaded from memory.
extern void reach_error(void);
extern void *malloc(unsigned long);

struct node { int value; struct node *next; };

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = list;
    list = node;
  }
  int sum = 0;
  for (struct node *node = list; node; node = node->next) sum += node->value;
  if (sum != 3) reach_error();
  return 0;
}
