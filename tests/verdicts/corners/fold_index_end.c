//! bounds: true
// The address behind the last element may be taken, also of a row.
static int a[3], m[2][3];
static int *p[2] = {&a[3], &m[1][3]};
int main(void) { return p[0] == 0; }
