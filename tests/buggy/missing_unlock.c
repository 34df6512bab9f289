//! property: deadlock
//! says: pthread_mutex_lock(&lock)
//! says: which has ended, locked that at

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static int take(void) {
    pthread_mutex_lock(&lock);
    if (stock == 0)
        return -1;
    stock--;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *buyer(void *unused) {
    (void)unused;
    take();
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, buyer, NULL);
    pthread_create(&b, NULL, buyer, NULL);
    pthread_create(&c, NULL, buyer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
