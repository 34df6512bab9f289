//! valid-deref: true
// Compilers know alloca without a declaration.
int main(void) {
    char *p = alloca(4);
    p[3] = 1;
    return p[3] - 1;
}
