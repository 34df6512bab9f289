//! verdict: false(assertion)
//! says: frees an object that was there before
// A function may not free what its caller has.
#include <stdlib.h>
void drop(char *p)
__CPROVER_requires(__CPROVER_is_fresh(p, 4))
__CPROVER_assigns(__CPROVER_object_whole(p))
{
    p[0] = 0;
    free(p);
}
int main(void) {
    return 0;
}
