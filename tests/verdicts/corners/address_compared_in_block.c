//! unreach-call: true
// A sum keeps what was said of two locals while they lived.
extern void reach_error(void);
int main(void) {
    int same = 0;
    for (int i = 0; i < 2; i++) {
        int x, y;
        same += &x == &y;
    }
    if (same != 0)
        reach_error();
    return 0;
}
