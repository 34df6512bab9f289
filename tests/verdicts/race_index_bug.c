//! no-data-race: false
//! Elements that depend on an input and may be the same.
// Witness for no-data-race: 2
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int a[4];
int i;

void *one(void *argument) {
    a[i] = 1;
    return 0;
}

void *two(void *argument) {
    a[4 - i] = 1;
    return 0;
}

int main(void) {
    pthread_t first, second;
    i = __VERIFIER_nondet_int();
    if (i < 1 || i > 3)
        return 0;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
