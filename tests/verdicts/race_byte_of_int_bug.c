//! no-data-race: false
//! One thread writes an int, the other reads one of its bytes.
#include <pthread.h>

int x;

void *one(void *argument) {
    x = 7;
    return 0;
}

void *two(void *argument) {
    char seen = ((char *)&x)[3];
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
