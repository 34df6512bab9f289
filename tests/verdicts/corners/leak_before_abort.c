//! valid-memsafety: false(valid-memtrack)
// Memory is lost whatever ends the program.
#include <stdlib.h>
int main(void) {
    char *p = malloc(3);
    p[0] = 0;
    p = malloc(5);
    p[0] = 1;
    abort();
}
