//! unreach-call: false
// Each round has a variable of its own.
extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        int *p = &x;
        if (i == 0)
            *p = 5;
        else if (*p != 5)
            reach_error();
    }
    return 0;
}
