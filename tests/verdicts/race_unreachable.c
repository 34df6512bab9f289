//! no-data-race: true
//! Where the accesses would race, nobody comes.
#include <pthread.h>

int x;
const int flag = 1;

void *one(void *argument) {
    if (flag)
        x = 1;
    return 0;
}

void *two(void *argument) {
    if (!flag)
        x = 2;
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
