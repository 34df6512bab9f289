//! termination: false
//! A thread goes round for ever and shows nothing; another one has ended long before.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int flag;

void *work(void *argument) {
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int input = __VERIFIER_nondet_int();
    while (input == 5)
        ;
    pthread_join(thread, 0);
    return 0;
}
