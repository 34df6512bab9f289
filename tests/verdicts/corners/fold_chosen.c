//! no-overflow: false
// The side of a choice that is taken.
static int chosen = 0 ?: 2147483647 + 1;
int main(void) { return chosen == 0; }
