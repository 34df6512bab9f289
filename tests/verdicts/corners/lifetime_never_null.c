//! unreach-call: true
// What is said of a local's address in a return statement is said while the local lives.
#include <stdint.h>
extern void reach_error(void);
static int is_null(int *p) {
    int x;
    return p == &x;
}
static uintptr_t beside(void) {
    int x;
    return (uintptr_t)&x + 5;
}
int main(void) {
    if (is_null(0) || beside() == 5)
        reach_error();
    return 0;
}
