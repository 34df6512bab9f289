//! unreach-call: false
// A local may lie where one of an earlier call was.
extern void reach_error(void);
int *old;
static void remember(void) {
    int x = 1;
    old = &x;
}
static int is_there(void) {
    int y = 2;
    return old == &y;
}
int main(void) {
    remember();
    if (is_there())
        reach_error();
    return 0;
}
