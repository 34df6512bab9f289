//! unreach-call: true
// Hashing by address: the slot depends on the layout, that it exists does not.
#include <stdint.h>
extern void reach_error(void);
static int table[8];
int main(void) {
    int key;
    unsigned slot = (unsigned)((uintptr_t)&key >> 4) % 8;
    table[slot] = 1;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += table[i];
    if (sum != 1)
        reach_error();
    return 0;
}
