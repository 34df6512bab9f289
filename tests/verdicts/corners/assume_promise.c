//! unreachable: false
// __builtin_assume of what does not hold is as undefined as reaching __builtin_unreachable.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __builtin_assume(x > 3);
    return x <= 2;
}
