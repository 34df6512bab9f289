//! valid-memsafety: false(valid-deref)
// fputs takes no null pointer, whatever printf does with one.
#include <stdio.h>
int main(void) {
    char *p = 0;
    printf("%s\n", p);
    fputs(p, stdout);
    return 0;
}
