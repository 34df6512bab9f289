//! unreach-call: true
// errno is each thread's own.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
void *spoil(void *p) {
    if (errno != 0)
        reach_error();
    errno = EINVAL;
    return 0;
}
int main(void) {
    pthread_t t;
    errno = 0;
    pthread_create(&t, 0, spoil, 0);
    strtol("99999999999999999999999", 0, 10);
    if (errno != ERANGE)
        reach_error();
    pthread_join(t, 0);
    if (errno != ERANGE)
        reach_error();
    return 0;
}
