//! valid-memsafety: true
// Each in its family; null is of all.
#include <stdlib.h>
int main() {
    int *a = new int(1), *b = new int[2], *c = (int *)malloc(4), *d = nullptr;
    c = (int *)realloc(c, 8);
    delete a;
    delete[] b;
    free(c);
    delete d;
    delete[] d;
    return 0;
}
