//! unreach-call: false
// To join a thread again has no meaning: the second call may fail.
#include <pthread.h>
extern void reach_error(void);
static void *nothing(void *unused) {
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    pthread_join(thread, 0);
    if (pthread_join(thread, 0) != 0)
        reach_error();
    return 0;
}
