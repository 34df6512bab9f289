//! termination: false
// Only the number of rounds changes: the run comes back to where it was after 2^32 of them.
int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned rounds = 0;
    int x = __VERIFIER_nondet_int();
    while (x > 0)
        rounds++;
    return 0;
}
