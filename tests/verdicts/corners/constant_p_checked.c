//! no-overflow: true
// The argument is not evaluated, so nothing of it is checked.
int main(void) {
    int z = 0, most = 2147483647;
    return (__builtin_constant_p(5 / z) || __builtin_constant_p(most + 1)) && 0;
}
