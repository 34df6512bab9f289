//! no-overflow: true
// What every compiler takes for a flag, and constants that are looked at but not evaluated.
enum flag { LAST = 1 << 31, BYTE = 0xff << 24 };
static int chosen = __builtin_choose_expr(0, 2147483647 + 1, 1);
static int known = __builtin_constant_p(2147483647 + 1);
static int first = 1 ?: 2147483647 + 1;
int main(void) { return LAST == 0 && chosen && known && first; }
