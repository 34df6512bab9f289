//! unreach-call: false
// Of two threads that a thread starts in a row, the second may come first, and both before what their maker does.
#include <pthread.h>
extern void reach_error(void);
int a, b, c;
void *left(void *p) { a = b + 1; return 0; }
void *right(void *p) { b = c == 0 && a == 0; return 0; }
void *maker(void *p) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    c = 1;
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (a == 2 && b == 1)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, maker, 0);
    pthread_join(t, 0);
    return 0;
}
