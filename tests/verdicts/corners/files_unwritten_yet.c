//! unreach-call: false
//! flags: --sym-stdin 0
// What a stream wrote is not in the file before it is flushed.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *out = fopen("x", "w"), *in = fopen("x", "r");
    fputs("hi", out);
    if (fgetc(in) == EOF)
        reach_error();
    return 0;
}
