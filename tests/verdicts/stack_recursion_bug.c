//! stack-overflow: false
// Two functions call each other for ever.
static int odd(int n);
static int even(int n) { return odd(n); }
static int odd(int n) { return even(n); }
int main(void) { return even(1); }
