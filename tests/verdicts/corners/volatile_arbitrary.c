//! unreach-call: false
//! flags: --volatile-arbitrary
// A native run reads what was written, which says nothing about what a device may do.
extern void reach_error(void);
int main(void) {
    volatile int port = 1;
    if (port == 2)
        reach_error();
    return 0;
}
