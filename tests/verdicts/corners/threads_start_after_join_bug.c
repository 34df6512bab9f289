//! unreach-call: false
// A thread that is started right after a join runs before its maker's next store.
#include <pthread.h>
extern void reach_error(void);
int level;
void *nothing(void *p) { return 0; }
void *watch(void *p) {
    if (level == 0)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, nothing, 0);
    pthread_join(first, 0);
    pthread_create(&second, 0, watch, 0);
    level = 1;
    pthread_join(second, 0);
    return 0;
}
