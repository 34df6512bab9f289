//! no-data-race: false
//! The value is read before the thread is joined.
#include <pthread.h>

int x;

void *one(void *argument) {
    x++;
    return 0;
}

int main(void) {
    pthread_t first;
    pthread_create(&first, 0, one, 0);
    int seen = x;
    pthread_join(first, 0);
    return seen;
}
