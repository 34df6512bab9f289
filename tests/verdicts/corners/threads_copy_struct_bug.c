//! unreach-call: false
// A struct assignment is not one step: its halves can be seen apart.
#include <pthread.h>
extern void reach_error(void);
struct account { long left, right; } account, next = {5, 5};
void *move(void *p) { account = next; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, move, 0);
    long right = account.right, left = account.left;
    if (left != right)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
