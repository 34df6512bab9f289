//! valid-memsafety: true
// Two variables of one name are two variables.
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 1;
    {
        int *p = malloc(sizeof(int));
        *p = 2;
        free(p);
        p = 0;
        exit(0);
    }
}
