//! unreach-call: false
//! flags: --malloc-may-fail
// asprintf allocates.
#define _GNU_SOURCE
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char *text = 0;
    if (asprintf(&text, "%d", 5) < 0)
        reach_error();
    return 0;
}
