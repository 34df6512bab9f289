//! unreach-call: false
// A thread that another one starts may run before that one ends the program.
#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
void *last(void *p) {
    reach_error();
    return 0;
}
void *middle(void *p) {
    pthread_t t;
    pthread_create(&t, 0, last, 0);
    exit(0);
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, middle, 0);
    pthread_join(t, 0);
    return 0;
}
