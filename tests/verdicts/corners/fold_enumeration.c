//! no-overflow: false
// The value of an enumeration constant.
enum limit { HIGHEST = 2147483647, HIGHER = HIGHEST + 1 };
int main(void) { return HIGHER == 0; }
