//! unreach-call: false
// The handler of SIGSEGV runs where the program writes to a literal.
#include <signal.h>
#include <stdlib.h>
extern void reach_error(void);
static void handle(int number) {
  reach_error();
  exit(1);
}
int main(void) {
  signal(SIGSEGV, handle);
  char *p = "abc";
  p[0] = 1;
  return 0;
}
