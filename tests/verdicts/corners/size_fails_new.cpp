//! valid-memsafety: true
//! flags: --malloc-may-fail
// What new (std::nothrow) makes is for delete, also where it may fail.
#include <new>
int main() {
    int *one = new (std::nothrow) int, *many = new (std::nothrow) int[2];
    if (one)
        *one = 1;
    delete one;
    delete[] many;
}
