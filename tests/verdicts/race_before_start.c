//! no-data-race: true
//! What is written before a thread starts and read after it was joined races with nothing.
#include <pthread.h>

int x;

void *one(void *argument) {
    x++;
    return 0;
}

int main(void) {
    pthread_t first;
    x = 1;
    pthread_create(&first, 0, one, 0);
    pthread_join(first, 0);
    x++;
    return x - 3;
}
