//! unreach-call: false
// Another thread may use a local variable before pthread_exit ends it.
#include <pthread.h>
#include <stddef.h>
extern void reach_error(void);
int *shared;
void *owner(void *p) {
    int local = 7;
    shared = &local;
    pthread_exit(0);
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, owner, 0);
    int *found = shared;
    if (found && *found == 7)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
