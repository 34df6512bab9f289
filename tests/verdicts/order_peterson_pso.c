//! unreach-call: true
//! flags: --memory-model pso
//! Peterson's algorithm with fences between all stores and in front of the loads, in C, in assembly and as a builtin.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);

volatile int wants[2], turn, inside;

void *enter(void *argument) {
    int self = argument != 0;
    wants[self] = 1;
    atomic_thread_fence(memory_order_release);
    turn = !self;
    __asm__ volatile("mfence" ::: "memory");
    while (wants[!self] && turn == !self)
        ;
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    __sync_synchronize();
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
