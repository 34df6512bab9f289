//! unreach-call: true
// quick_exit runs the handlers of at_quick_exit only, _Exit none.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int quick;
static void other(void) { reach_error(); }
static void second(void) { if (quick != 1) reach_error(); }
static void first(void) { quick = 1; }
int main(void) {
    atexit(other);
    at_quick_exit(second);
    at_quick_exit(first);
    if (__VERIFIER_nondet_int())
        _Exit(1);
    quick_exit(0);
}
