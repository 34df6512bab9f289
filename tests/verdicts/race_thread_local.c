//! no-data-race: true
//! Every thread has its own.
#include <errno.h>
#include <pthread.h>

_Thread_local int x;

void *one(void *argument) {
    x++;
    errno = 1;
    return 0;
}

void *two(void *argument) {
    x++;
    errno = 1;
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
