//! unreach-call: true
// Wherever realloc leaves the object, that is not where another one lives.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *other = malloc(8);
    char *a = malloc(8);
    char *b = realloc(a, 16);
    if (b == other || (b < other && b + 16 > other))
        reach_error();
    free(b);
    free(other);
    return 0;
}
