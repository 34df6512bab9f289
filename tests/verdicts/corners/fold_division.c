//! div-by-zero: false
// A division of constants in an argument.
static int same(int x) { return x; }
int main(void) { return same(7 % (1 - 1)); }
