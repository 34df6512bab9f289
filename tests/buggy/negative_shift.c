//! property: shift
//! says: low = -1
//! says: high = 0

#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define BITS 32
#define FIELD(word, high, low) (((word) >> (low)) & ((1u << ((high) - (low) + 1)) - 1))

static unsigned extract(unsigned word, int high, int low) {
    return FIELD(word, high, low);
}

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    if (high < 0 || high >= BITS || low > high)
        return 1;
    printf("%u\n", extract(0xdeadbeef, high, low));
    return 0;
}
