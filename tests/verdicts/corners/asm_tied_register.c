//! unreach-call: true
// Without instructions a register keeps its value.
extern void reach_error(void);
int main(void) {
    int x = 3, y = 4;
    __asm__ volatile("" : "+r"(x), "+r"(y));
    __asm__ volatile("" ::: "memory");
    if (x != 3 || y != 4)
        reach_error();
    return 0;
}
