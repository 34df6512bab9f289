//! unreach-call: false
// The handler of SIGSEGV runs where the program writes through a null pointer.
#include <signal.h>
#include <stdlib.h>
extern void reach_error(void);
static void handle(int number) {
  if (number == SIGSEGV) reach_error();
  exit(1);
}
int main(void) {
  int *volatile p = 0;
  signal(SIGSEGV, handle);
  *p = 1;
  return 0;
}
