//! valid-memsafety: false(valid-free)
// A value is the end of a text NAME=VALUE that is not the program's to free.
#include <stdlib.h>
int main(void) {
    free(getenv("HOME"));
    return 0;
}
