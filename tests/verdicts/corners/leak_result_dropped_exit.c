//! valid-memsafety: false(valid-memtrack)
// No variable has ever held it.
#include <stdlib.h>
int main(void) {
    malloc(10);
    exit(0);
}
