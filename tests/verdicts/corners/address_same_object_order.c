//! unreach-call: true
// Inside an object order and distance are those of the indices.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a[8];
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 8 || j < 0 || j > 8)
        return 0;
    if ((&a[i] < &a[j]) != (i < j) || &a[i] - &a[j] != i - j)
        reach_error();
    return 0;
}
