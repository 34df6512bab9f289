//! unreach-call: false
//! flags: --memory-model pso
//! The parts of a structure that is copied are seen in any order.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

struct pair {
    int left, right;
};

struct pair shared;

void *left(void *argument) {
    struct pair own = {1, 1};
    shared = own;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, left, 0);
    int right = shared.right, left = shared.left;
    if (right == 1 && left == 0)
        reach_error();
    pthread_join(thread, 0);
    return 0;
}
