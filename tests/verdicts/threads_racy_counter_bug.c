//! unreach-call: false
//! Two threads read a counter before either of them writes it.
#include <pthread.h>
void reach_error(void);

int counter;

void *add(void *argument) {
    int seen = counter;
    counter = seen + 1;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, add, 0);
    pthread_create(&second, 0, add, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    if (counter != 2)
        reach_error();
    return 0;
}
