//! flags: --32
//! unreach-call: true
// Two arrays that do not fit a 32-bit address space together: nothing can be said, but nothing breaks.
char first[2000000000], second[2000000000], third[2000000000];
int main(void) { return first[0] + second[0] + third[0]; }
