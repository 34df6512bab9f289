//! no-overflow: true
#define HIGHER(x) _Generic((x), char: 0, int: 2147483647 + 1, default: 7)
static int table[] = {1, HIGHER((char)1), HIGHER(1.0)};
int main(void) { return table[0]; }
