//! unreach-call: false
// A local of a loop's body need not lie where it lay in the round before.
#include <stdint.h>
extern void reach_error(void);
int main(void) {
    uintptr_t before = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        uintptr_t now = (uintptr_t)&x;
        if (i == 1 && before != now)
            reach_error();
        before = now;
    }
    return 0;
}
