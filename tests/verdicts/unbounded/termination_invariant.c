//! termination: true
// The steps grow, which takes an invariant: y stays positive.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() & 65535, y = 1;
    while (x > 0) {
        x -= y;
        if (y < 1000)
            y++;
    }
    return 0;
}
