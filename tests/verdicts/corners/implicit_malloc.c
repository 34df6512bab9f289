//! valid-memsafety: true
// malloc without a declaration gives a whole pointer.
int main(void) {
    long *p = (long *)malloc(16);
    p[1] = 3;
    free(p);
    return 0;
}
