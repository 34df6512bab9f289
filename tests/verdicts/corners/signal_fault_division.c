//! unreach-call: false
// The handler of SIGFPE runs where the program divides by zero.
#include <signal.h>
#include <stdlib.h>
extern void reach_error(void);
static void handle(int number) {
  reach_error();
  exit(1);
}
int main(void) {
  struct sigaction action = {0};
  action.sa_handler = handle;
  sigaction(SIGFPE, &action, 0);
  volatile int zero = 0;
  return 1 / zero;
}
