//! unreach-call: false
// But its address can be handed on.
#include <errno.h>
#include <pthread.h>
extern void reach_error(void);
void *spoil(void *p) { *(int *)p = 5; return 0; }
int main(void) {
    pthread_t t;
    errno = 0;
    pthread_create(&t, 0, spoil, &errno);
    if (errno == 5)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
