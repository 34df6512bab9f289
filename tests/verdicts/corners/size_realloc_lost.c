//! valid-memsafety: false(valid-memtrack)
// The old object is lost where the result of a failing realloc overwrites it.
#include <stdlib.h>
#include <stdint.h>
int main(void) {
    char *p = malloc(4);
    p = realloc(p, SIZE_MAX);
    free(p);
    return 0;
}
