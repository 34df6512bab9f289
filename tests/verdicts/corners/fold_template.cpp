//! no-overflow: false
// What a template is made into has a name of its own.
template <class T> T first() {
    T table[2] = {1, 2147483647 + 1};
    return table[0];
}
int main() {
    return first<int>() - 1;
}
