//! unreach-call: false
// A long copy through a pointer to the heap, interrupted twice.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
char *block;
void *fill(void *p) { memset(block, 1, 400); return 0; }
int main(void) {
    pthread_t t;
    block = calloc(1, 400);
    pthread_create(&t, 0, fill, 0);
    if (block[100] && !block[200])
        if (block[300] == 1 && block[200] == 1)
            reach_error();
    pthread_join(t, 0);
    free(block);
    return 0;
}
