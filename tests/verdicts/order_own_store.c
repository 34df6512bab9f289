//! unreach-call: true
//! flags: --memory-model pso
//! A thread sees its own stores at once, in their order, whatever others see; parts of them as well.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

int x, own, last, seen;

void *left(void *argument) {
    x = 0x0102;
    ((char *)&x)[1] = 7;
    own = x;
    x = 3;
    last = x;
    return 0;
}

void *right(void *argument) {
    seen = x;
    (void)seen;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (own != 0x0702 || last != 3 || x != 3)
        reach_error();
    return 0;
}
