//! property: valid-deref
//! says: `squares`
//! says: 16 bytes
//! says: bytes 16..19
//! says: i = 4

#include <stdio.h>

#define COUNT 4

static void fill(int *squares, int count) {
    for (int i = 0; i <= count; i++)
        squares[i] = i * i;
}

int main(void) {
    int squares[COUNT];
    fill(squares, COUNT);
    int sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += squares[i];
    printf("sum: %d\n", sum);
    return 0;
}
