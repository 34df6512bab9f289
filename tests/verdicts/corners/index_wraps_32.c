//! valid-memsafety: false(valid-deref)
//! flags: --32
// 2^30 elements of four bytes come round in the smaller address space.
int a[4];
int main(void) { return a[1ul << 30]; }
