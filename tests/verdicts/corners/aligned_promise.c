//! alignment: false
// What __builtin_assume_aligned promises of an address is checked.  Witness for alignment: 7
extern int __VERIFIER_nondet_int(void);
static _Alignas(16) char bytes[32];
int main(void) {
    int *numbers = __builtin_assume_aligned(bytes + (__VERIFIER_nondet_int() == 7 ? 4 : 16), 16);
    return *numbers;
}
