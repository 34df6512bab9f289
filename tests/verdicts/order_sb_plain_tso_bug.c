//! unreach-call: false
//! flags: --memory-model tso
//! Store buffering with plain variables, and a local variable that is read back from the buffer.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

int x, y, own_left, own_right, seen_left, seen_right;

void *left(void *argument) {
    x = 1;
    own_left = x;
    seen_left = y;
    return 0;
}

void *right(void *argument) {
    y = 1;
    own_right = y;
    seen_right = x;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (own_left == 1 && own_right == 1 && seen_left == 0 && seen_right == 0)
        reach_error();
    return 0;
}
