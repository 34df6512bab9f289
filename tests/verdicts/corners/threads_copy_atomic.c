//! unreach-call: true
// So does an atomic section.
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned char bytes[12];
void *change(void *p) {
    __VERIFIER_atomic_begin();
    memset(bytes, 255, sizeof bytes);
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    unsigned char last = bytes[11], first = bytes[0];
    if (last && !first)
        reach_error();
    pthread_join(t, 0);
    return 0;
}
