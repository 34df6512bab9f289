//! no-data-race: false
//! A structure is copied while one of its members is written.
#include <pthread.h>

struct pair {
    int first, second;
} s;

void *one(void *argument) {
    struct pair copy = s;
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
