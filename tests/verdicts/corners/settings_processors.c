//! unreach-call: true
// There is a processor that works, and memory.
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 1 || sysconf(_SC_PHYS_PAGES) < 1 || sysconf(_SC_PAGESIZE) != 4096) reach_error();
  return 0;
}
