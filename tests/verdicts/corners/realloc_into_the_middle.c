//! valid-memsafety: false(valid-free)
// realloc takes the start of an object.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4 * sizeof(int));
    int *q = realloc(p + 2, 64);
    free(q);
    return 0;
}
