//! unreach-call: true
//! valid-memsafety: true
//! A thread works on a local variable of the one that started it.
#include <pthread.h>
void reach_error(void);

void *add(void *argument) {
    *(int *)argument += 2;
    return 0;
}

static int twice(int number) {
    pthread_t thread;
    pthread_create(&thread, 0, add, &number);
    pthread_join(thread, 0);
    return number;
}

int main(void) {
    if (twice(twice(1)) != 5)
        reach_error();
    return 0;
}
