//! property: shift
//! says: shift
//! says: bit = 32

#include <stdio.h>

#define BITS 32

static unsigned mask_below(int bit) {
    return (1u << bit) - 1;
}

int main(void) {
    unsigned all = 0;
    for (int bit = 8; bit <= BITS; bit += 8) {
        unsigned mask = mask_below(bit);
        all |= mask;
        printf("%d: %x\n", bit, mask);
    }
    return all == 0;
}
