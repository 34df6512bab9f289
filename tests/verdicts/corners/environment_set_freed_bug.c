//! valid-memsafety: false(valid-free)
// Neither is one that it set itself.
#include <stdlib.h>
int main(void) {
    setenv("NAME", "value", 1);
    free(getenv("NAME"));
    return 0;
}
