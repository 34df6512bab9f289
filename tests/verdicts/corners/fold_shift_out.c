//! no-overflow: false
// A constant shifted out of its type is no flag.
static int nothing = 2 << 31;
int main(void) { return nothing; }
