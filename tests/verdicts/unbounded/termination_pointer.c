//! termination: true
//! The counter is changed through a pointer.
int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), *counter = &n;
    while (*counter > 0)
        (*counter)--;
    return 0;
}
