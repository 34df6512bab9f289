//! no-data-race: false
//! A thread-local variable of main whose address another thread has.
#include <pthread.h>

_Thread_local int x;

void *one(void *argument) {
    *(int *)argument = 1;
    return 0;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, 0, one, &x);
    x++;
    pthread_join(first, 0);
    return 0;
}
