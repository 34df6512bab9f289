//! unreach-call: false
// Inline assembly may name a variable.
extern void reach_error(void);
int x = 3;
int main(void) {
    __asm__ volatile("movl $5, x(%%rip)" ::: "memory");
    if (x == 5)
        reach_error();
    return 0;
}
