//! unreach-call: true
// Behind __builtin_assume only what it promises has a meaning.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __builtin_assume(x > 3);
    if (x <= 2)
        reach_error();
    return 0;
}
