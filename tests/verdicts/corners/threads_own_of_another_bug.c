//! unreach-call: false
// Another thread's copy can be written while that thread lives.
#include <pthread.h>
extern void reach_error(void);
static _Thread_local int own;
int *place;
void *work(void *p) {
    own = 1;
    place = &own;
    if (own == 2)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (place)
        *place = 2;
    pthread_join(t, 0);
    return 0;
}
