//! no-overflow: false
// clang computes its own functions whole where the arguments are constants.
int main(void) {
    if (__builtin_expect(2147483647 + 1, 0))
        return 1;
    return 0;
}
