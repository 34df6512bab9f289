//! uninitialised: true
// A quantifier binds its variable: nothing is read that has no value.
int table[10];
int main(void) {
    int i;
    __ESBMC_assert(__ESBMC_forall(&i, i < 0 || i >= 10 || table[i] == 0), "zeros");
    return 0;
}
