//! unreach-call: false
//! flags: --32
// With 32 bits a long long is one of these.
#include <pthread.h>
extern void reach_error(void);
long long shared;
void *set(void *p) {
  shared = -1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  long long seen = shared;
  if (seen != 0 && seen != -1) reach_error();
  pthread_join(t, 0);
  return 0;
}
