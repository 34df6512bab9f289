//! unreach-call: true
// Whatever the layout, of two different objects one lies before the other, and it stays there.
extern void reach_error(void);
int main(void) {
    int a = 1, b = 2;
    int before = &a < &b;
    if (before && &b < &a)
        reach_error();
    if (!before && !(&b < &a))
        reach_error();
    return 0;
}
