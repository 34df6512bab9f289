//! uninitialised: true
// What getenv gives was written by somebody.
#include <stdlib.h>
int main(void) {
    char *home = getenv("HOME");
    if (home && home[0] == '/')
        return 1;
    return 0;
}
