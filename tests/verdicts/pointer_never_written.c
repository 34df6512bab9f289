//! unreach-call: true
//! valid-memsafety: false(valid-deref)
// A pointer out of memory that nobody wrote: whoever does not ask about pointers means some object behind it.
#include <stdlib.h>
extern void reach_error(void);
struct session { struct session *peer; int state; };
int main(void) {
  struct session *own = malloc(sizeof *own);
  own->state = 1;
  own->peer->state = 2;
  if (own->state != 1 || own->peer->state != 2) reach_error();
  free(own);
  return 0;
}
