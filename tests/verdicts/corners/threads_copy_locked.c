//! unreach-call: true
// A mutex makes one step of a copy, and of two.
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct record { int key; char name[20]; } record;
void *change(void *p) {
    struct record fresh = {1, "abc"};
    pthread_mutex_lock(&mutex);
    record = fresh;
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    pthread_t t;
    struct record seen;
    pthread_create(&t, 0, change, 0);
    pthread_mutex_lock(&mutex);
    memcpy(&seen, &record, sizeof seen);
    pthread_mutex_unlock(&mutex);
    if (seen.key != (seen.name[2] == 'c'))
        reach_error();
    pthread_join(t, 0);
    return 0;
}
