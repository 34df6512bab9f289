//! valid-memsafety: true
// The GNU C library prints (null).
#include <stdio.h>
int main(void) {
    char *p = 0;
    printf("[%s]\n", p);
    return 0;
}
