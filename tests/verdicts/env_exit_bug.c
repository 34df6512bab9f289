//! unreach-call: false
// The handler given to atexit runs when main returns.
#include <stdlib.h>
extern void reach_error(void);

static int state;
static void handler(void) { if (state == 2) reach_error(); }

int main(void) {
  if (atexit(handler)) return 0;
  state = 2;
  return 0;
}
