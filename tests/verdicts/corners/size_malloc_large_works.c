//! unreach-call: false
//! flags: --32
// A gigabyte can be had, again and again if it is given back.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 5; i++) {
        char *p = malloc(1u << 30);
        if (p == 0)
            return 0;
        p[12345678] = 1;
        free(p);
    }
    reach_error();
    return 0;
}
