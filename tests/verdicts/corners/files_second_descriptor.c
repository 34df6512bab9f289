//! unreach-call: true
// dup2 gives the descriptor that it was asked for, or fails.
#include <errno.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  int got = dup2(1, 5);
  if (got != 5 && got != -1) reach_error();
  errno = 0;
  if (dup2(1, -1) != -1 || errno != EBADF) reach_error();
  return 0;
}
