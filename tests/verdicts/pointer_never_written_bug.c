//! unreach-call: false
// The contents behind such a pointer are arbitrary.
#include <stdlib.h>
extern void reach_error(void);
struct session { struct session *peer; int state; };
int main(void) {
  struct session *own = malloc(sizeof *own);
  if (own->peer->state == 5 && own->peer->peer->state == 6) reach_error();
  return 0;
}
