//! unreach-call: false
// The C library raises SIGABRT where memory is freed twice, and the program handles that.
#include <signal.h>
#include <stdlib.h>
extern void reach_error(void);
static void handle(int number) {
  reach_error();
}
int main(void) {
  signal(SIGABRT, handle);
  char *p = malloc(3);
  free(p);
  free(p);
  return 0;
}
