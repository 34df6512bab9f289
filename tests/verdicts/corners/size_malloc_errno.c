//! unreach-call: true
// Too large is a reason that errno says.
#include <errno.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    errno = 0;
    if (malloc((size_t)-1) || errno != ENOMEM)
        reach_error();
    errno = 0;
    if (calloc((size_t)-1, 8) || errno != ENOMEM)
        reach_error();
    return 0;
}
