//! unreach-call: true
// fwrite gives at most what was asked, and less only with an error.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char b[4] = {0};
    FILE *f = fopen("out", "w");
    if (!f)
        return 0;
    size_t n = fwrite(b, 1, 4, f);
    if (n > 4 || (n < 4 && !ferror(f)))
        reach_error();
    return 0;
}
