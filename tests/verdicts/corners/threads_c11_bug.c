//! unreach-call: false
// Two threads of C11 without a lock.
#include <threads.h>
extern void reach_error(void);
int x;
int add(void *p) {
    x++;
    return 0;
}
int main(void) {
    thrd_t t;
    thrd_create(&t, add, 0);
    x++;
    thrd_join(t, 0);
    if (x != 2)
        reach_error();
    return 0;
}
