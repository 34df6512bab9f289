//! unreach-call: true
// error with a status ends the program, as exit does; without one it goes on.
#include <error.h>
#include <stdlib.h>
extern void reach_error(void);
static int handled;
static void handler(void) {
  if (error_message_count != 2) reach_error();
  handled = 1;
}
int main(void) {
  atexit(handler);
  error(0, 0, "one");
  error(3, 0, "%d", 2);
  reach_error();
}
