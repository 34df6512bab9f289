//! unreach-call: true
// One arbitrary value, whether it is read by name or by address.
extern void reach_error(void);
int main(void) {
    int x;
    int first = x;
    int *p = &x;
    if (first != *p)
        reach_error();
    if (*p != x)
        reach_error();
    return 0;
}
