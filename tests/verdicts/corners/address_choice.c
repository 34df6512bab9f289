//! unreach-call: true
// A choice among pointers is not null and is one of them, after paths have met as well.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a, b;
int main(void) {
    int *p = __VERIFIER_nondet_int() ? &a : &b;
    int *q = __VERIFIER_nondet_int() ? &a : 0;
    if (p == 0 || (p != &a && p != &b) || (q == &b))
        reach_error();
    return 0;
}
