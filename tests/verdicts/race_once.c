//! no-data-race: true
//! pthread_once orders its routine before what follows any call of it.
#include <pthread.h>

int x;
pthread_once_t control = PTHREAD_ONCE_INIT;

void make(void) {
    x = 1;
}

void *one(void *argument) {
    pthread_once(&control, make);
    int seen = x;
    return 0;
}

void *two(void *argument) {
    pthread_once(&control, make);
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
