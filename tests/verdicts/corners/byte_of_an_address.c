//! unreach-call: false
// A byte in the middle of an address has no value that anyone chose.
extern void reach_error(void);
int main(void) {
    int x = 1;
    int *p = &x;
    if (((unsigned char *)&p)[2] == 0x42)
        reach_error();
    return 0;
}
