//! valid-memcleanup: true
// A handler frees when the last thread ends.
#include <pthread.h>
#include <stdlib.h>
static int *kept;
static void clean(void) { free(kept); }
int main(void) {
    atexit(clean);
    kept = malloc(sizeof *kept);
    pthread_exit(0);
}
