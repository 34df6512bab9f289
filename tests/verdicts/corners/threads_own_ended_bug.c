//! valid-memsafety: false(valid-deref)
// A thread-local object ends with its thread.
#include <pthread.h>
static _Thread_local int own = 4;
void *work(void *p) { return &own; }
int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, &result);
    return *(int *)result;
}
