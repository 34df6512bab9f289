//! unreach-call: false
// The handler of at_quick_exit is reached.
#include <stdlib.h>
extern void reach_error(void);
static void h(void) { reach_error(); }
int main(void) {
    at_quick_exit(h);
    quick_exit(3);
}
