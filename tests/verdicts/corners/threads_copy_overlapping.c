//! unreach-call: true
// memmove copes with ranges that overlap, also if it is interrupted; the other thread touches the last byte only.
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
char text[9] = "abcdef";
void *touch(void *p) { text[8] = 'z'; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, touch, 0);
    memmove(text + 2, text, 6);
    memmove(text, text + 1, 7);
    pthread_join(t, 0);
    if (memcmp(text, "babcdef", 7) != 0 || text[8] != 'z')
        reach_error();
    return 0;
}
