//! valid-memsafety: false(valid-free)
// malloc takes free.
#include <stdlib.h>
int main() {
    char *p = (char *)malloc(2);
    delete p;
    return 0;
}
