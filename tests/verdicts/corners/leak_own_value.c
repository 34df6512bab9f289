//! valid-memsafety: false(valid-memtrack)
// The thread's own value ends with the thread.
#include <pthread.h>
#include <stdlib.h>
pthread_key_t key;
void *run(void *p) {
    pthread_setspecific(key, malloc(4));
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&key, 0);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
