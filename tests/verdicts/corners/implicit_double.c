//! unreach-call: false
// An input function without a declaration gives what its name says.
extern void reach_error(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 0.25 && x < 0.75)
        reach_error();
    return 0;
}
