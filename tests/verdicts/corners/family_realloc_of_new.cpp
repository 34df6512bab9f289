//! valid-memsafety: false(valid-free)
// realloc frees as free does.
#include <stdlib.h>
int main() {
    int *p = new int(1);
    p = (int *)realloc(p, 8);
    free(p);
    return 0;
}
