//! unreach-call: true
//! flags: --memory-model pso
//! Store buffering with stores in the total order, as _Atomic has them by itself.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

atomic_int x, y;
int seen_left, seen_right;

void *left(void *argument) {
    x = 1;
    seen_left = y;
    return 0;
}

void *right(void *argument) {
    y = 1;
    seen_right = x;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (seen_left == 0 && seen_right == 0)
        reach_error();
    return 0;
}
