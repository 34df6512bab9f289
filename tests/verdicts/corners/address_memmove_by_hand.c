//! unreach-call: true
// A copy that asks which of two objects lies first does the same either way.
extern void reach_error(void);
static void move(char *to, const char *from, int n) {
    if (to < from)
        for (int i = 0; i < n; i++)
            to[i] = from[i];
    else
        while (n-- > 0)
            to[n] = from[n];
}
int main(void) {
    char a[3] = {1, 2, 3}, b[3];
    move(b, a, 3);
    if (b[0] != 1 || b[2] != 3)
        reach_error();
    move(a, a + 1, 2);
    if (a[0] != 2 || a[1] != 3)
        reach_error();
    return 0;
}
