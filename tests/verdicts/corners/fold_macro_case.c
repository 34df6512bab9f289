//! no-overflow: false
// What is switched on is an argument of a macro.
#include <limits.h>
#define CHOOSE(x) switch (x) { case INT_MAX + 1: return 1; default: break; }
int main(void) {
    int y = 3;
    CHOOSE(y)
    return 0;
}
