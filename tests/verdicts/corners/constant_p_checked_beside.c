//! no-overflow: false
// What stands beside the argument is evaluated.
int main(void) {
    int z = 0, most = 2147483647;
    return (most + 1, __builtin_constant_p(z)) && 0;
}
