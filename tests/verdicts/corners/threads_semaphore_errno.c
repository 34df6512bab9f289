//! unreach-call: true
// A semaphore that is not free says so in errno.
#include <errno.h>
#include <semaphore.h>
extern void reach_error(void);
int main(void) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    errno = 0;
    if (sem_trywait(&semaphore) != -1 || errno != EAGAIN)
        reach_error();
    return 0;
}
