//! unreach-call: true
// A weak function that nothing defines has the address null.
extern void reach_error(void);
extern int hook(int) __attribute__((weak));
static int (*table[2])(int) = {hook, 0};
int main(void) {
    if (hook || table[0])
        reach_error();
    return 0;
}
