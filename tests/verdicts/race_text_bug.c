//! no-data-race: false
//! A library function reads a text that another thread writes.
#include <pthread.h>
#include <string.h>

char text[4] = "abc";

void *one(void *argument) {
    unsigned long length = strlen(text);
    return 0;
}

void *two(void *argument) {
    text[2] = 0;
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
