//! unreach-call: false
// What was written may not arrive.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("out", "w");
    if (!f)
        return 0;
    fputs("text", f);
    if (fflush(f) == EOF && ferror(f))
        reach_error();
    return fclose(f);
}
