//! no-data-race: false
//! Two threads start a third each, and keep it in the same variable.
#include <pthread.h>

pthread_t third;

void *idle(void *argument) {
    return 0;
}

void *one(void *argument) {
    pthread_create(&third, 0, idle, 0);
    return 0;
}

void *two(void *argument) {
    pthread_create(&third, 0, idle, 0);
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
