//! no-data-race: true
//! Members of a structure beside each other, and elements of an array, are different memory.
#include <pthread.h>

struct pair {
    char first, second;
} s;
char a[2];

void *one(void *argument) {
    s.first = 1;
    a[0] = 1;
    return 0;
}

void *two(void *argument) {
    s.second = 1;
    a[1] = 1;
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
