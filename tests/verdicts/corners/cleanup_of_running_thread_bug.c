//! valid-memcleanup: false
// main may return while the thread has its block.
#include <pthread.h>
#include <stdlib.h>
void *work(void *p) {
    free(malloc(3));
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    return 0;
}
