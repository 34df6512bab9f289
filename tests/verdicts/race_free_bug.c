//! no-data-race: false
//! Freed by one thread while the other may still read it.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *one(void *argument) {
    int seen = *p;
    return 0;
}

void *two(void *argument) {
    return 0;
}

int main(void) {
    pthread_t first, second;
    p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    free(p);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
