//! unreach-call: false
// A failing assertion raises SIGABRT, whose handler runs.
#include <assert.h>
#include <signal.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static void on_abort(int number) { if (number == SIGABRT) reach_error(); }
int main(void) {
    signal(SIGABRT, on_abort);
    assert(__VERIFIER_nondet_int() != 5);
    return 0;
}
// Witness for unreach-call: 5
