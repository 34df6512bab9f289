//! valid-memsafety: false(valid-deref)
// The memory may go while it is copied.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
char *block;
int started, done;
void *copy(void *p) {
    started = 1;
    char local[8];
    memcpy(local, block, 8);
    done = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    block = calloc(8, 1);
    pthread_create(&t, 0, copy, 0);
    if (started && !done)
        free(block);
    else {
        pthread_join(t, 0);
        free(block);
        return 0;
    }
    pthread_join(t, 0);
    return 0;
}
