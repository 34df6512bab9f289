//! no-overflow: true
// The table is in the branch that is not taken.
extern int __VERIFIER_nondet_int(void);
#define LOOK(x) do { if ((x) > 5) { int table[2] = {1, 2147483647 + 1}; x = table[0]; } } while (0)
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5)
        return 0;
    LOOK(x);
    return 0;
}
