//! no-overflow: false
// All that a macro makes has one place in the source.
#define TABLE(name) int name[2] = {1, 2147483647 + 1}
int main(void) {
    TABLE(table);
    return table[0] - 1;
}
