//! valid-memsafety: true
// A deadlock is not an end at which memory could be lost.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    char *block = malloc(4);
    block = 0;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return block != 0;
}
