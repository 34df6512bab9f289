//! unreach-call: true
// The signal that comes is another one than that which is handled.
#include <signal.h>
#include <stdlib.h>
extern void reach_error(void);
static void handle(int number) {
  reach_error();
}
int main(void) {
  volatile int zero = 0;
  signal(SIGSEGV, handle);
  return 1 / zero;
}
