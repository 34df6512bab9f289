//! termination: true
//! Paths that meet again after each choice are followed once; none comes back to where it was.
int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0;
    for (int i = 0; i < 30; i++) {
        if (__VERIFIER_nondet_int())
            state ^= 1;
        else
            state ^= 3;
        state &= 1;
    }
    return state;
}
