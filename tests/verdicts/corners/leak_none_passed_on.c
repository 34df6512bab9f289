//! valid-memsafety: true
// A parameter holds it.
#include <stdlib.h>
void end(void *p) {
    exit(0);
}
int main(void) {
    end(malloc(10));
    return 0;
}
