//! unreach-call: true
// Each thread's copy has the initial value, whatever others did to theirs before.
#include <pthread.h>
extern void reach_error(void);
static _Thread_local int count = 3;
static _Thread_local struct { int first; char text[8]; } pair = {1, "abc"};
void *work(void *p) {
    if (count != 3 || pair.first != 1 || pair.text[1] != 'b')
        reach_error();
    count = 9;
    pair.text[1] = 'x';
    return 0;
}
int main(void) {
    pthread_t one, two;
    count++;
    pair.first = 7;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (count != 4 || pair.first != 7 || pair.text[1] != 'b')
        reach_error();
    return 0;
}
