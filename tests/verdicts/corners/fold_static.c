//! no-overflow: false
// The initialiser of a static object is computed before the program starts.
static int limit = -(-2147483647 - 1);
int main(void) { return limit == 0; }
