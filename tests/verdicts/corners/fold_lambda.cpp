//! no-overflow: false
int main() {
    auto first = [] {
        int table[2] = {1, 2147483647 + 1};
        return table[0];
    };
    return first() - 1;
}
