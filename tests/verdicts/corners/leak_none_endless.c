//! valid-memsafety: true
// Held for ever.
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 0;
    for (;;)
        *p = 1 - *p;
}
