//! dangling: false
// A thread may free an object between the store that lets it and the use of a pointer to the object.
#include <pthread.h>
#include <stdlib.h>
int flag;
int *shared;
void *releaser(void *unused) {
    if (flag)
        free(shared);
    return 0;
}
int main(void) {
    int *own = shared = malloc(sizeof(int));
    pthread_t thread;
    pthread_create(&thread, 0, releaser, 0);
    flag = 1;
    int is_null = own == 0;
    pthread_join(thread, 0);
    return is_null;
}
