//! no-data-race: false
//! strtok keeps where it was for everybody.
#include <pthread.h>
#include <string.h>

void *one(void *argument) {
    char text[] = "a b";
    strtok(text, " ");
    return 0;
}

void *two(void *argument) {
    char text[] = "a b";
    strtok(text, " ");
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
