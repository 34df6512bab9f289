//! valid-memsafety: true
//! unreach-call: true
// Nobody pays for arguments that main ignores.
#include <stdlib.h>
extern void reach_error(void);
int main(int argc, char **argv) {
    int *p = malloc(4);
    *p = argc;
    if (*p < 0)
        reach_error();
    free(p);
    return 0;
}
