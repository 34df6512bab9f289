//! termination: false
// The loop goes on as long as it is told to.
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned long sum = 0;
    while (__VERIFIER_nondet_int() == 7)
        sum += 3;
    return 0;
}
