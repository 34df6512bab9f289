//! valid-memsafety: false(valid-memtrack)
// The variable held the last pointer, whether or not there are threads.
#include <pthread.h>
#include <stdlib.h>
void *nothing(void *p) {
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
    pthread_join(t, 0);
    char *p = malloc(3);
    *p = 1;
    p = 0;
    exit(0);
}
