//! unreach-call: false
// Nor is a copy out of shared memory: it may hold what was never there at one time.
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
int pair[2];
void *write(void *p) {
    pair[1] = 1;
    pair[0] = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    int copy[2];
    pthread_create(&t, 0, write, 0);
    memcpy(copy, pair, sizeof copy);
    if (copy[0] == 0 && copy[1] == 1)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
