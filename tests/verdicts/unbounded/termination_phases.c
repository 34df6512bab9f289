//! termination: true
//! It grows as long as y is positive, and y does not stay so.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() & 1023, y = __VERIFIER_nondet_int() & 1023;
    while (x > 0) {
        x += y;
        y--;
        if (y < -1)
            y = -1;
    }
    return 0;
}
