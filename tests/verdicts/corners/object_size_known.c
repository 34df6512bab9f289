//! unreach-call: true
// What is known without optimisation: an object of the program at a constant distance.
extern void reach_error(void);
struct pair {
    char first[4], second[8];
};
int table[5];
int main(void) {
    struct pair pair;
    if (__builtin_object_size("abc", 0) != 4 || __builtin_object_size(&table[1], 0) != 16 || __builtin_object_size(&pair.second, 0) != 8)
        reach_error();
    return 0;
}
