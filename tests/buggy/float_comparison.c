//! property: assertion
//! says: `sum == 1.0`
//! says: sum = 0.9999999999999999

#include <assert.h>

#define STEPS 10

static double add_up(double step, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += step;
    return sum;
}

int main(void) {
    double sum = add_up(0.1, STEPS);
    assert(sum == 1.0);
    return 0;
}
