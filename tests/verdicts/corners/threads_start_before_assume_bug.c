//! unreach-call: false
// A new thread may run before an assumption of its maker ends the run.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
int go;
void *nothing(void *p) { return 0; }
void *work(void *p) {
    if (!go)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, work, 0);
    __VERIFIER_assume(go);
    return 0;
}
