//! unreach-call: false
// realloc may leave an object where it is, also a growing one. The replay said that the old object was in the way.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *a = malloc(8);
    char *b = realloc(a, 16);
    if (a == b)
        reach_error();
    free(b);
    return 0;
}
