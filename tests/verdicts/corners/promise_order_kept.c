//! unreach-call: true
// What is promised holds, also where more is looked at.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int result = strcmp(__VERIFIER_nondet_int() ? "a" : "b", "c");
    if (result >= 0 || strncmp("abc", "abd", 2) != 0)
        reach_error();
    return 0;
}
