//! valid-memsafety: false(valid-free)
// new[] takes delete[].
int main() {
    int *p = new int[2];
    p[0] = 1;
    delete p;
    return 0;
}
