//! unreach-call: false
//! flags: --memory-model pso
//! Peterson's algorithm with a fence in front of the loads only, the lock may be seen free before the data is.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

volatile int wants[2], turn, inside;

void *enter(void *argument) {
    int self = argument != 0;
    wants[self] = 1;
    turn = !self;
    atomic_thread_fence(memory_order_seq_cst);
    while (wants[!self] && turn == !self)
        ;
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    wants[self] = 0;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, enter, 0);
    pthread_create(&second, 0, enter, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
