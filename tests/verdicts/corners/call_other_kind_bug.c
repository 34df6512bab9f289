//! unreach-call: false
// An int is looked for in another register than a float: what the function gets, and what it gives, is anything.
extern void reach_error(void);
extern int twice_as_declared(int) __asm__("twice");
int main(void) {
    if (twice_as_declared(3) != 6)
        reach_error();
    return 0;
}
float twice(float x) { return x * 2; }
