//! valid-memsafety: true
// Variables of calls that are still there hold their memory, read again or not.
#include <stdlib.h>
static void stop(void) {
    int *q = malloc(sizeof(int));
    *q = 2;
    exit(0);
}
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 1;
    stop();
    return 0;
}
