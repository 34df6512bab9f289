//! valid-memsafety: true
// A weak declaration of a library function does not make it vanish.
#include <stdlib.h>
extern void *malloc(size_t) __attribute__((weak));
int main(void) {
    if (malloc) {
        int *p = malloc(4);
        *p = 1;
        free(p);
    }
    return 0;
}
