//! unreach-call: true
//! no-overflow: false
// The processor can't divide the smallest number by -1: the program dies of SIGFPE.
#include <limits.h>
extern void reach_error(void);
int main(void) {
  volatile int lowest = INT_MIN, minus = -1;
  volatile int quotient = lowest / minus;
  reach_error();
  return quotient;
}
