//! no-overflow: true
// Nobody calls it.
int main() {
    auto first = [] {
        int table[2] = {1, 2147483647 + 1};
        return table[0];
    };
    (void)first;
    return 0;
}
