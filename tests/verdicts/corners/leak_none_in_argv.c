//! valid-memsafety: true
// argv is there to the end of the program.
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc > 0)
        argv[0] = malloc(3);
    return 0;
}
