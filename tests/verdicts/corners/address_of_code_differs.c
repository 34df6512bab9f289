//! unreach-call: true
// But each has an address of its own, apart from objects.
extern void reach_error(void);
int object;
void first(void) {
}
void second(void) {
}
int main(void) {
    if (first == second || first == 0 || (void *)first == (void *)&object)
        reach_error();
    return 0;
}
