//! unreach-call: false
// No register holds such a number: another thread can be seen between its halves.
#include <pthread.h>
extern void reach_error(void);
__int128 shared;
void *set(void *p) {
  shared = -1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  __int128 seen = shared;
  if (seen != 0 && seen != -1) reach_error();
  pthread_join(t, 0);
  return 0;
}
