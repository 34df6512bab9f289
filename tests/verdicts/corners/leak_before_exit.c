//! valid-memsafety: false(valid-memtrack)
// The last pointer is lost before exit, in a function that is still running.
#include <stdlib.h>
static void stop(int *p) {
    *p = 1;
    p = 0;
    exit(0);
}
int main(void) {
    stop(malloc(sizeof(int)));
    return 0;
}
