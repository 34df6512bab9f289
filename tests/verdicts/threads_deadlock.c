//! unreach-call: true
//! deadlock: false
//! Two locks in different order may block both threads for ever; nothing is reached behind that.
#include <pthread.h>
void reach_error(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;

void *one(void *argument) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

void *two(void *argument) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (x != 2)
        reach_error();
    return 0;
}
