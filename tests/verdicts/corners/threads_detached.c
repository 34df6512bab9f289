//! unreach-call: true
// A detached thread can be neither joined nor detached again, and nobody joins itself.
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
void *work(void *p) { return p; }
int main(void) {
    pthread_t one, two;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&one, &attributes, work, 0);
    pthread_create(&two, 0, work, 0);
    if (pthread_detach(two) != 0 || pthread_detach(two) != EINVAL)
        reach_error();
    if (pthread_join(one, 0) != EINVAL || pthread_join(two, 0) != EINVAL)
        reach_error();
    if (pthread_join(pthread_self(), 0) != EDEADLK)
        reach_error();
    return 0;
}
