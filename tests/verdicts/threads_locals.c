//! unreach-call: true
//! Every thread has its own copy of a thread-local variable.
#include <pthread.h>
void reach_error(void);

__thread int own = 5;
static __thread int *where = 0;

void *change(void *argument) {
    if (own != 5)
        reach_error();
    own = 7;
    where = &own;
    if (*where != 7)
        reach_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    own = 6;
    pthread_create(&thread, 0, change, 0);
    if (own != 6 || where)
        reach_error();
    pthread_join(thread, 0);
    if (own != 6)
        reach_error();
    return 0;
}
