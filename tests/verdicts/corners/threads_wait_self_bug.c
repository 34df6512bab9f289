//! termination: false
// A semaphore that nobody posts.
#include <semaphore.h>
int main(void) {
    sem_t gate;
    sem_init(&gate, 0, 1);
    sem_wait(&gate);
    sem_wait(&gate);
    return 0;
}
