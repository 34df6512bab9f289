//! valid-memsafety: false(valid-deref)
struct alignas(64) Line {
    char bytes[64];
};
int main() {
    Line *one = new Line;
    one[1].bytes[0] = 1;
    delete one;
    return 0;
}
