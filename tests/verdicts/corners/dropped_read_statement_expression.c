//! valid-deref: false
// The statement expression reads the structure, though nobody wants it.
struct row { int a[3]; };
int main(void) {
    struct row *p = 0;
    ({ *p; });
    return 0;
}
