//! no-data-race: true
//! The C library protects what it keeps for itself.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

void *one(void *argument) {
    printf("%d\n", rand());
    free(malloc(3));
    errno = 2;
    perror("two");
    return 0;
}

void *two(void *argument) {
    printf("%d\n", rand());
    free(malloc(3));
    errno = 2;
    perror("two");
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
