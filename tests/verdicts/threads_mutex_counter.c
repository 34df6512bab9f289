//! unreach-call: true
//! deadlock: true
//! A mutex protects the counter; the main thread sees both additions after it has joined the others.
#include <pthread.h>
void reach_error(void);

int counter;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *add(void *argument) {
    pthread_mutex_lock(&mutex);
    int seen = counter;
    counter = seen + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (counter != 2)
        reach_error();
    return 0;
}
