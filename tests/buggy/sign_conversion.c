//! property: valid-deref
//! says: `values` has 16 bytes
//! says: last condition: `i < (size_t)count - 1`
//! says: count = 0

#include <stdio.h>
#include <stddef.h>

static int sum(const int *values, int count) {
    int total = 0;
    for (size_t i = 0; i < (size_t)count - 1; i++)
        total += values[i];
    return total;
}

int main(void) {
    int values[4] = {1, 2, 3, 4};
    printf("%d\n", sum(values, 4));
    printf("%d\n", sum(values, 0));
    return 0;
}
