//! no-data-race: true
//! A bit-field of width zero parts memory locations.
#include <pthread.h>

struct pair {
    unsigned first : 4;
    unsigned : 0;
    unsigned second : 4;
} s;

void *one(void *argument) {
    s.first = 1;
    return 0;
}

void *two(void *argument) {
    s.second = 1;
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
