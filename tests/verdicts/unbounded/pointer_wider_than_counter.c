//! valid-memsafety: true
// A pointer of 64 bits moves while a counter of 32 bits goes down.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    char *text = malloc(n), *p = text;
    while (n > 0) {
        *p++ = 'a';
        n--;
    }
    free(text);
    return 0;
}
