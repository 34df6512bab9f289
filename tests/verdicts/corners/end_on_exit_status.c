//! unreach-call: true
// Handlers of on_exit get the status, of exit and of main's return.
#define _GNU_SOURCE
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void handler(int status, void *expected) {
    if (status != *(int *)expected)
        reach_error();
}
static int seven = 7, nine = 9;
int main(void) {
    if (__VERIFIER_nondet_int()) {
        on_exit(handler, &nine);
        exit(9);
    }
    on_exit(handler, &seven);
    return 7;
}
