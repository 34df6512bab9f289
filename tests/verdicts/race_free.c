//! no-data-race: true
//! Freed after the reader was joined.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *one(void *argument) {
    int seen = *p;
    return 0;
}

void *two(void *argument) {
    int seen = *p;
    return 0;
}

int main(void) {
    pthread_t first, second;
    p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    free(p);
    return 0;
}
