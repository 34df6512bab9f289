//! unreach-call: false
// A run on the machine finds the round before there.
extern void reach_error(void);
int main(void) {
    for (int i = 0; i < 2; i++) {
        int a[2];
        if (i == 0)
            a[1] = 3;
        else if (a[1] != 3)
            reach_error();
    }
    return 0;
}
