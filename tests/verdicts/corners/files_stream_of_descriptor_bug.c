//! valid-memsafety: false(valid-deref)
//! flags: --malloc-may-fail
// fdopen allocates, so it may fail.
#include <stdio.h>
int main(void) {
    FILE *f = fdopen(0, "r");
    fgetc(f);
    return 0;
}
