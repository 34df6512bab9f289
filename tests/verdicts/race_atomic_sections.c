//! no-data-race: true
//! Atomic sections and functions do not race with each other.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;

void __VERIFIER_atomic_add(void) {
    x++;
}

void *one(void *argument) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return 0;
}

void *two(void *argument) {
    __VERIFIER_atomic_add();
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
