//! valid-memsafety: true
// What alloca gave before a variable-length array was made stays when the array ends.
#include <alloca.h>
int main(void) {
    int *p = 0, n = 4;
    {
        p = alloca(sizeof *p);
        int x[n];
        x[0] = 1;
        *p = x[0];
    }
    return *p;
}
