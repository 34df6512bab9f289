//! unreach-call: false
// The end of one local may be where another one begins.
extern void reach_error(void);
int main(void) {
    long a[2], b[2];
    long *end = a + 2;
    if (end == b)
        reach_error();
    return 0;
}
