//! no-overflow: false
// A const object of C++ is a constant wherever it can be.
const int limit = 2147483647 + 1;
int main() { return limit == 0; }
