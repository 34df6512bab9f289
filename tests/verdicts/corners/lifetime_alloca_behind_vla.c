//! valid-memsafety: false(valid-deref)
// What alloca gave since a variable-length array was made ends with the array: both lie on the stack.
#include <alloca.h>
int main(void) {
    int *p = 0, n = 4;
    {
        int x[n];
        x[0] = 1;
        p = alloca(sizeof *p);
        *p = x[0];
    }
    return *p;
}
