//! valid-memsafety: true
//! unreach-call: true
// operator new gets the alignment of the type, where it is a large one.
extern "C" void reach_error();
struct alignas(64) Line {
    char bytes[64];
    ~Line() {}
};
int main() {
    Line *one = new Line;
    Line *rows = new Line[2];
    if ((unsigned long)one % 64 != 0 || (unsigned long)&rows[1] % 64 != 0)
        reach_error();
    rows[1].bytes[63] = 1;
    delete one;
    delete[] rows;
    return 0;
}
