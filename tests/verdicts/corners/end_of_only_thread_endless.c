//! termination: false
// What runs at the end may not end.
#include <stdlib.h>
#include <threads.h>
static void at_end(void) {
    for (;;) {
    }
}
int main(void) {
    atexit(at_end);
    thrd_exit(0);
}
