//! valid-memsafety: false(valid-memtrack)
// It is lost although the program never ends.
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 7;
    p = 0;
    for (;;)
        ;
}
