//! unreach-call: false
// Nobody knows which of two threads has the smaller number.
#include <pthread.h>
extern void reach_error(void);
void *idle(void *p) { return 0; }
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, idle, 0);
  pthread_create(&second, 0, idle, 0);
  if (second < first) reach_error();
  return 0;
}
