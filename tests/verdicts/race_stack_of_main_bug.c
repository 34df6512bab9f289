//! no-data-race: false
//! A variable of main, whose address a thread has that is not joined.
#include <pthread.h>

void *one(void *argument) {
    *(int *)argument = 1;
    return 0;
}

int main(void) {
    pthread_t first;
    int x = 0;
    pthread_create(&first, 0, one, &x);
    x = 2;
    return 0;
}
