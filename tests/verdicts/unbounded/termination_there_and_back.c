//! termination: true
// Up to the bound, then down to zero: a flag says in which direction.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, back = 0;
    while (!back || i > 0) {
        if (!back && i >= n)
            back = 1;
        else if (back)
            i--;
        else
            i++;
    }
    return 0;
}
