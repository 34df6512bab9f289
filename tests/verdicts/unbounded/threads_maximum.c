//! unreach-call: true
// Compare and swap in a loop: the maximum is never less than what a thread has seen to it.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

int __VERIFIER_nondet_int(void);

int maximum;

static int swap(int from, int to) {
    __VERIFIER_atomic_begin();
    int same = maximum == from;
    if (same)
        maximum = to;
    __VERIFIER_atomic_end();
    return same;
}

void *run(void *unused) {
    int own = __VERIFIER_nondet_int(), seen;
    do
        seen = maximum;
    while (own > seen && !swap(seen, own));
    if (maximum < own)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, run, 0);
}
