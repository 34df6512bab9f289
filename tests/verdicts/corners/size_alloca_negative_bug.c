//! valid-memsafety: false(valid-deref)
// No stack has room for so much.
#include <alloca.h>
int main(void) {
    int size = -1;
    char *p = alloca(size);
    p[5] = 1;
    return 0;
}
