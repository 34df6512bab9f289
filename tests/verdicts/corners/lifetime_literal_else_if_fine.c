//! valid-deref: true
//! unreach-call: true
// The literal belongs to the block around the branches.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int *p = &(int){1};
    int c = __VERIFIER_nondet_int();
    if (c == 1)
        *p = 2;
    else if (c == 2)
        *p = 3;
    else
        *p = 4;
    if (*p < 2 || *p > 4)
        reach_error();
    return 0;
}
