//! unreach-call: true
//! Attributes refuse what glibc refuses.
#define _GNU_SOURCE
#include <pthread.h>
void reach_error(void);

int main(void) {
    pthread_attr_t attributes;
    pthread_mutexattr_t of_mutex;
    pthread_condattr_t of_condition;
    pthread_attr_init(&attributes);
    pthread_mutexattr_init(&of_mutex);
    pthread_condattr_init(&of_condition);
    if (pthread_attr_setstacksize(&attributes, 1) == 0 || pthread_attr_setstacksize(&attributes, 1 << 20) != 0)
        reach_error();
    if (pthread_attr_setscope(&attributes, PTHREAD_SCOPE_SYSTEM) != 0 || pthread_attr_setscope(&attributes, PTHREAD_SCOPE_PROCESS) == 0)
        reach_error();
    if (pthread_attr_setschedpolicy(&attributes, 99) == 0 || pthread_attr_setinheritsched(&attributes, 5) == 0)
        reach_error();
    if (pthread_mutexattr_setpshared(&of_mutex, 5) == 0 || pthread_mutexattr_setprotocol(&of_mutex, 9) == 0)
        reach_error();
    if (pthread_condattr_setclock(&of_condition, 2) == 0 || pthread_condattr_setpshared(&of_condition, 3) == 0)
        reach_error();
    if (pthread_setname_np(pthread_self(), "a name that is too long") == 0)
        reach_error();
    return 0;
}
