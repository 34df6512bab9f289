//! bounds: false
//! valid-deref: true
// Witness for bounds: 1
extern int __VERIFIER_nondet_int(void);
int table[2][1];
int main(void) {
    _Bool b = __VERIFIER_nondet_int();
    return table[0][b];
}
