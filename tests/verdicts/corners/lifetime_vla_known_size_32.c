//! valid-deref: false
//! flags: --32
// An array of variable length ends with its block, also where its length is known in the end.
#include <stddef.h>
int main(void) {
    int *p;
    int n = 3;
    {
        int a[n];
        a[0] = 1;
        p = a;
    }
    return *p;
}
