//! property: deadlock
//! says: every thread waits
//! says: thread 2 (forth) waits at deadlock.c:14: pthread_mutex_lock(&to);
//! says: thread 3 (back) waits at deadlock.c:23: pthread_mutex_lock(&from);

#include <pthread.h>

static pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t to = PTHREAD_MUTEX_INITIALIZER;
static int balance_from = 10, balance_to;

static void *forth(void *unused) {
    pthread_mutex_lock(&from);
    pthread_mutex_lock(&to);
    balance_from--, balance_to++;
    pthread_mutex_unlock(&to);
    pthread_mutex_unlock(&from);
    return unused;
}

static void *back(void *unused) {
    pthread_mutex_lock(&to);
    pthread_mutex_lock(&from);
    balance_to--, balance_from++;
    pthread_mutex_unlock(&from);
    pthread_mutex_unlock(&to);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, forth, NULL);
    pthread_create(&other, NULL, back, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
