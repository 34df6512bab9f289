//! unreach-call: false
//! The error happens before the main thread comes to an assumption that never holds.
#include <pthread.h>
void reach_error(void);
void __VERIFIER_assume(int);

int flag;

void *watch(void *argument) {
    if (flag == 1)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
    flag = 1;
    __VERIFIER_assume(0);
}
