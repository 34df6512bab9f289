//! unreach-call: false
// The same for a variable.
extern void reach_error(void);
extern int setting __attribute__((weak));
int main(void) {
    int *p = &setting;
    if (p == 0)
        reach_error();
    return 0;
}
