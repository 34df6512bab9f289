//! unreach-call: true
// A thread that is started in an atomic section waits for the section's end, also if it is the first one of all.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int ready;
void *work(void *p) {
    if (!ready)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    __VERIFIER_atomic_begin();
    pthread_create(&t, 0, work, 0);
    ready = 1;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
    return 0;
}
