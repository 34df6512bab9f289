//! valid-memsafety: false(valid-deref)
//! The function whose variable a thread works on returns before the thread is done.
#include <pthread.h>

void *add(void *argument) {
    *(int *)argument += 2;
    return 0;
}

static pthread_t launch(void) {
    int number = 1;
    pthread_t thread;
    pthread_create(&thread, 0, add, &number);
    return thread;
}

int main(void) {
    pthread_join(launch(), 0);
    return 0;
}
