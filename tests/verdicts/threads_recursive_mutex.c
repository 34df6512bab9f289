//! unreach-call: true
//! deadlock: true
//! A recursive mutex is free again after as many unlocks; trylock of another's fails; an error-checking one complains.
#include <pthread.h>
void reach_error(void);

pthread_mutex_t recursive, checked;
int inside;

void *attempt(void *argument) {
    if (pthread_mutex_trylock(&recursive) == 0) {
        if (inside)
            reach_error();
        pthread_mutex_unlock(&recursive);
    }
    return 0;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    pthread_t thread;
    pthread_create(&thread, 0, attempt, 0);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    inside = 1;
    pthread_mutex_unlock(&recursive);
    inside = 0;
    pthread_mutex_unlock(&recursive);
    pthread_mutex_lock(&checked);
    if (pthread_mutex_lock(&checked) == 0)
        reach_error();
    pthread_mutex_unlock(&checked);
    if (pthread_mutex_unlock(&checked) == 0)
        reach_error();
    pthread_join(thread, 0);
    return 0;
}
