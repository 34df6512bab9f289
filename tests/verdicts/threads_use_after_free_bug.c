//! valid-memsafety: false(valid-deref)
//! One thread frees what the other may still use.
#include <pthread.h>
#include <stdlib.h>

int *box;

void *use(void *argument) {
    *box = 2;
    return 0;
}

int main(void) {
    pthread_t thread;
    box = malloc(sizeof *box);
    pthread_create(&thread, 0, use, 0);
    free(box);
    pthread_join(thread, 0);
    return 0;
}
