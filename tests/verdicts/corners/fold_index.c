//! bounds: false
// The address in a static initialiser lies beyond the end of its array.
static int a[3];
static int *p = &a[7];
int main(void) { return p == 0; }
