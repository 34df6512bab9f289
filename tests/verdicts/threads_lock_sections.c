//! unreach-call: true
//! no-data-race: true
//! deadlock: true
//! termination: true
//! Three threads with critical sections, one inside another. Accesses that the locks protect are no choices of a thread.
#include <pthread.h>
void reach_error(void);

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int count, twice;

void *work(void *argument) {
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&outer);
        count++;
        pthread_mutex_lock(&inner);
        twice += 2;
        pthread_mutex_unlock(&inner);
        if (twice != 2 * count)
            reach_error();
        pthread_mutex_unlock(&outer);
    }
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    if (count != 12 || twice != 24)
        reach_error();
    return 0;
}
