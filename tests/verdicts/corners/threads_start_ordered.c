//! unreach-call: true
// What its maker did before a thread was started, the thread sees; what it does after the join, nobody does.
#include <pthread.h>
extern void reach_error(void);
int before, after;
void *work(void *p) {
    if (before != 1 || after != 0)
        reach_error();
    return 0;
}
void *maker(void *p) {
    pthread_t t;
    before = 1;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    after = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, maker, 0);
    pthread_join(t, 0);
    return 0;
}
