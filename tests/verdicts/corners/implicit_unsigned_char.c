//! unreach-call: true
// The name limits the values, too.
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_uchar();
    if (x < 0 || x > 255)
        reach_error();
    return 0;
}
