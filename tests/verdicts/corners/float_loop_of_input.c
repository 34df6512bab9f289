//! termination: false
// Witness for termination: -1
// From -1 on nothing changes.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    float f = __VERIFIER_nondet_int();
    while (f != f + 1)
        f = f * 2 + 1;
    return 0;
}
