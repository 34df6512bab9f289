//! unreach-call: true
// A handler runs where it is taken away, if that is asked for.
#include <pthread.h>
extern void reach_error(void);
static int count;
static void add(void *number) {
    count += *(int *)number;
}
static void *work(void *unused) {
    int one = 1, two = 2;
    pthread_cleanup_push(add, &one);
    pthread_cleanup_push(add, &two);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    if (count != 1)
        reach_error();
    return 0;
}
