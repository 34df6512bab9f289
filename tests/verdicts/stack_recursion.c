//! stack-overflow: true
// Ten thousand nested calls fit the stack.
static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) { return sum(10000) == 50005000 ? 0 : 1; }
