//! valid-memsafety: true
//! valid-memcleanup: true
// What the library keeps for itself nobody has to free.
#include <stdlib.h>
int main(void) {
    setenv("A", "1", 1);
    setenv("A", "2", 1);
    clearenv();
    return 0;
}
