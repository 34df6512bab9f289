//! valid-memsafety: false(valid-deref)
// An argument may be longer than the buffer.
#include <string.h>
int main(int argc, char **argv) {
    char name[4];
    if (argc == 2)
        strcpy(name, argv[1]);
    return 0;
}
