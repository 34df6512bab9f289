//! no-overflow: false
// The least number has no absolute value.
#include <limits.h>
#include <stdlib.h>
int main(void) { return abs(INT_MIN) == 1; }
