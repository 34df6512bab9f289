//! unreach-call: false
// The number of a thread that was joined may be given to another one.
#include <pthread.h>
extern void reach_error(void);
void *idle(void *p) { return 0; }
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, idle, 0);
  pthread_join(first, 0);
  pthread_create(&second, 0, idle, 0);
  if (first == second) reach_error();
  return 0;
}
