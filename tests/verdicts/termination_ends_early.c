//! termination: true
//! A loop without an exit of its own; exit and abort end the program.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int steps = 0;
    while (1) {
        if (++steps == 10) {
            if (__VERIFIER_nondet_int())
                exit(0);
            abort();
        }
    }
}
