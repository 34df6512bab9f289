//! unreach-call: false
//! Inputs of two threads, and an order of both, lead to the error.
#include <pthread.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);

int x;

void *first(void *argument) {
    int n = __VERIFIER_nondet_int();
    x = n;
    if (__VERIFIER_nondet_int() > 10)
        x = x + 1;
    return 0;
}

void *second(void *argument) {
    int n = __VERIFIER_nondet_int();
    if (n == 4711 && x == 1234)
        x = 99;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (x == 100)
        reach_error();
    return 0;
}
