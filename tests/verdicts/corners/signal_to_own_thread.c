//! unreach-call: false
// A thread that sends itself a signal handles it before it goes on.
#include <pthread.h>
#include <signal.h>
extern void reach_error(void);
static void handle(int number) { reach_error(); }
int main(void) {
  signal(SIGUSR1, handle);
  return pthread_kill(pthread_self(), SIGUSR1);
}
