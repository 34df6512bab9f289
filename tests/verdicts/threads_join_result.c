//! unreach-call: true
//! deadlock: true
//! valid-memsafety: true
//! What a thread returns, by return and by pthread_exit, and what it was given; its memory is freed by the one who joins.
#include <pthread.h>
#include <stdlib.h>
void reach_error(void);

void leave(int *box) {
    *box += 1;
    pthread_exit(box);
}

void *work(void *argument) {
    int *box = malloc(sizeof *box);
    *box = *(int *)argument;
    if (*box > 5)
        leave(box);
    return box;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {3, 7};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &numbers[i]);
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        if (*(int *)result != (i == 0 ? 3 : 8))
            reach_error();
        free(result);
    }
    return 0;
}
