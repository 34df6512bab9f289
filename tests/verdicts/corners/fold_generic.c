//! no-overflow: false
// What the type selects is evaluated, and nothing else of it.
#define HIGHER(x) _Generic((x), char: 0, int: 2147483647 + 1, default: 7)
static int table[] = {1, HIGHER(1)};
int main(void) { return table[0]; }
