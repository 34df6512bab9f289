//! valid-memsafety: false(valid-memtrack)
// No variable has ever held it, and the program never ends.
#include <stdlib.h>
int main(void) {
    int size = 10;
    malloc(size);
    for (;;)
        ;
}
