//! valid-memsafety: true
// What only a thread's own value leads to is freed at its end.
#include <pthread.h>
#include <stdlib.h>
pthread_key_t key;
void *run(void *p) {
    pthread_setspecific(key, malloc(4));
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&key, free);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
