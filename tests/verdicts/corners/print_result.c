//! unreach-call: true
// printf gives the number of characters, or a negative number.
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 99)
        return 0;
    int n = printf("<%d>\n", x);
    if (n >= 0 && n != 4 && n != 5)
        reach_error();
    int m = putchar('a');
    if (m != 'a' && m != EOF)
        reach_error();
    return 0;
}
