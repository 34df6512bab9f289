//! unreach-call: true
// The number of a thread is an address, and different from those of other threads that were not joined.
#include <pthread.h>
extern void reach_error(void);
void *idle(void *p) { return 0; }
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, idle, 0);
  pthread_create(&second, 0, idle, 0);
  if (first < 100 || first == second || first == pthread_self()) reach_error();
  return 0;
}
