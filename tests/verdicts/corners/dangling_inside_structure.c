//! dangling: true
// A structure is copied as a whole; the value of the pointer in it is not used.
#include <stdlib.h>
struct pair {
    int *p;
    int n;
};
int main(void) {
    struct pair a = {malloc(4), 1};
    free(a.p);
    struct pair b = a;
    return b.n - 1;
}
