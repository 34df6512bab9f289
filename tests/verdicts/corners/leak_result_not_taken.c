//! valid-memsafety: false(valid-memtrack)
// Nobody takes what the thread returns.
#include <pthread.h>
#include <stdlib.h>
void *make(void *p) {
    return calloc(1, 4);
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, make, 0);
    pthread_join(t, 0);
    return 0;
}
