//! locks: false
//! unreach-call: true
//! Two threads wait for each other's mutex while the program goes on and ends, everyone is never stuck.
#include <pthread.h>

pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;

void *forwards(void *argument) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return 0;
}

void *backwards(void *argument) {
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one);
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, forwards, 0);
    pthread_create(&second, 0, backwards, 0);
    return 0;
}
