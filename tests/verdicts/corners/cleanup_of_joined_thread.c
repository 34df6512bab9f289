//! valid-memcleanup: true
// But not if it waits.
#include <pthread.h>
#include <stdlib.h>
void *work(void *p) {
    free(malloc(3));
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    free(malloc(4));
    pthread_join(t, 0);
    return 0;
}
