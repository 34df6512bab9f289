//! valid-deref: false
// The literal ends with its branch, behind which comes the end of another `if`.
// Witness for valid-deref: 2
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = 1, *p = &x;
    int c = __VERIFIER_nondet_int();
    if (c == 1)
        x = 2;
    else if (c == 2)
        p = &(int){3};
    else
        x = 4;
    return *p == 7;
}
