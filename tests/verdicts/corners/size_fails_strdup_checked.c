//! valid-memsafety: true
//! flags: --malloc-may-fail
// Checked, strdup may fail.
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = strdup("ab");
    if (p != 0)
        p[1] = 'x';
    free(p);
    return 0;
}
