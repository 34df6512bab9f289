//! no-data-race: true
//! Copies of ranges that only touch.
#include <pthread.h>
#include <string.h>

char a[16], b[16], c[16];

void *one(void *argument) {
    memcpy(a, b, 8);
    return 0;
}

void *two(void *argument) {
    memset(a + 8, 1, 8);
    memcpy(c, b, 4);
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
