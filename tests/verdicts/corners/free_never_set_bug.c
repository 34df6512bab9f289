//! valid-memsafety: false(valid-free)
// Nobody knows what an uninitialised pointer leads to.
#include <stdlib.h>
int main(void) {
    char *p;
    free(p);
    return 0;
}
