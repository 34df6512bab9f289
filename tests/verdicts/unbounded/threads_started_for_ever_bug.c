//! unreach-call: false
// A loop that starts threads for ever and does nothing else that they could see: they run all the same.
#include <pthread.h>
extern void reach_error(void);
static int count;
static void *add(void *unused)
{
    if (++count == 3)
        reach_error();
    return unused;
}
int main(void)
{
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, add, 0);
}
