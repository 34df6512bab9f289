//! no-data-race: false
//! An atomic section races with an access outside of any, also where it has done something else before.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y;

void *one(void *argument) {
    __VERIFIER_atomic_begin();
    y++;
    x++;
    __VERIFIER_atomic_end();
    return 0;
}

void *two(void *argument) {
    int seen = x;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
