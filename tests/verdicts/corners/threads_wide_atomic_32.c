//! unreach-call: true
//! flags: --32
// Atomic ones, and those that a mutex protects, are whole.
#include <pthread.h>
#include <stdatomic.h>
extern void reach_error(void);
_Atomic long long shared;
long long locked;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *set(void *p) {
  shared = -1;
  pthread_mutex_lock(&m);
  locked = -1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  long long seen = shared;
  pthread_mutex_lock(&m);
  long long other = locked;
  pthread_mutex_unlock(&m);
  if (seen != 0 && seen != -1 || other != 0 && other != -1) reach_error();
  pthread_join(t, 0);
  return 0;
}
