//! bounds: true
//! valid-deref: true
// A truth value as an index is 0 or 1.
extern int __VERIFIER_nondet_int(void);
int table[2];
int main(void) {
    _Bool b = __VERIFIER_nondet_int();
    return table[b];
}
