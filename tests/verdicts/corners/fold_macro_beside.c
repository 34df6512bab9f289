//! no-overflow: false
// Another operation of the same macro is checked by clang itself.
#define BODY int table[2] = {1, 2147483647 + 1}; return table[0] - 1;
int main(void) {
    BODY
}
