//! valid-memsafety: false(valid-free)
// new takes delete.
int main() {
    int *p = new int(3);
    delete[] p;
    return 0;
}
