//! unreach-call: true
// Two blocks were compared while both lived; what became of one later does not matter.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *p = malloc(4), *q = malloc(4);
    int same = p == q;
    free(p);
    if (same)
        reach_error();
    free(q);
    return 0;
}
