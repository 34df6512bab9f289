//! unreach-call: true
// The threads of C11.
#include <threads.h>
extern void reach_error(void);
mtx_t mutex;
int x;
int add(void *p) {
    mtx_lock(&mutex);
    x++;
    mtx_unlock(&mutex);
    return *(int *)p;
}
int main(void) {
    thrd_t t;
    int number = 7, result = 0;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&t, add, &number);
    mtx_lock(&mutex);
    x++;
    mtx_unlock(&mutex);
    thrd_join(t, &result);
    if (result != 7 || x != 2)
        reach_error();
    return 0;
}
