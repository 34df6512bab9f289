//! unreach-call: true
// A comparison for qsort looks at no more than the sign.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void) {
    const char *names[] = {"c", "a", "b"};
    qsort(names, 3, sizeof *names, compare);
    if (names[0][0] != 'a' || names[2][0] != 'c')
        reach_error();
    return 0;
}
