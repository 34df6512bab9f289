//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// An intrusive list: the struct is found from the address of its link.
#include <stddef.h>
extern void reach_error(void);

struct link { struct link *next, *prev; };
struct item { int value; struct link link; };
#define ITEM(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))

static void append(struct link *head, struct link *l) {
  l->next = head;
  l->prev = head->prev;
  head->prev->next = l;
  head->prev = l;
}

int main(void) {
  struct link head = { &head, &head };
  struct item items[3];
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    items[i].value = i + 1;
    append(&head, &items[i].link);
  }
  for (struct link *l = head.next; l != &head; l = l->next)
    sum = sum * 10 + ITEM(l)->value;
  if (sum != 123) reach_error();
  return 0;
}
