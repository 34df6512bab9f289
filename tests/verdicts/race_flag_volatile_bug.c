//! no-data-race: false
//! volatile is not atomic.
#include <pthread.h>

int x;
volatile int flag;

void *one(void *argument) {
    x = 1;
    flag = 1;
    return 0;
}

void *two(void *argument) {
    while (!flag) {
    }
    int seen = x;
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
