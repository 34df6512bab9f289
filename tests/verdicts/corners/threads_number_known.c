//! unreach-call: true
// The GNU C library stores a thread's number before the thread runs.
#include <pthread.h>
extern void reach_error(void);
pthread_t t, other;
void *idle(void *p) {
    return 0;
}
void *look(void *p) {
    if (!pthread_equal(pthread_self(), t))
        reach_error();
    return 0;
}
int main(void) {
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    pthread_create(&other, 0, idle, 0);
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    pthread_join(other, 0);
    return 0;
}
