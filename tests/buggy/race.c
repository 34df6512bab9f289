//! property: no-data-race
//! says: data race on `counter`
//! says: reads counter at race.c:14: counter++;
//! says: writes counter at race.c:14: counter++;

#include <pthread.h>
#include <stdio.h>

static int counter;

static void *count(void *argument) {
    int rounds = *(int *)argument;
    for (int i = 0; i < rounds; i++)
        counter++;
    return NULL;
}

int main(void) {
    pthread_t first, second;
    int rounds = 2;
    pthread_create(&first, NULL, count, &rounds);
    pthread_create(&second, NULL, count, &rounds);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("%d\n", counter);
    return 0;
}
