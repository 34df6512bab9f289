//! property: termination
//! says: goes on for ever
//! says: n = 0u

#include <stdio.h>

/* How often n can be halved before it is 1. */
static int halvings(unsigned n) {
    int count = 0;
    if (n % 2 == 1)
        n--;
    while (n != 1) {
        n /= 2;
        if (n > 0)
            count++;
    }
    return count;
}

int main(void) {
    unsigned sizes[] = {16, 1};
    for (int i = 0; i < 2; i++)
        printf("%u: %d\n", sizes[i], halvings(sizes[i]));
    return 0;
}
