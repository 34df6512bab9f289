//! unreach-call: true
// Who finds a lock free gets it, however late it is.
#include <pthread.h>
#include <time.h>
extern void reach_error(void);
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    struct timespec until = {0, 0};
    if (pthread_mutex_timedlock(&mutex, &until) != 0)
        reach_error();
    return 0;
}
