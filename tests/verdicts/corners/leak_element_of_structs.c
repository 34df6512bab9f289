//! valid-memtrack: false
// Members of structures that are chosen by inputs: one of two pointers is written over.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
static struct { int number; void *text; } table[4];
int main(void) {
    for (int i = 0; i < 2; i++) {
        unsigned at = __VERIFIER_nondet_uint() % 4;
        table[at].text = malloc(4);
        table[at].number = i;
    }
    return 0;
}
