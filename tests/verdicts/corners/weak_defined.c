//! unreach-call: true
// A weak definition is a definition.
extern void reach_error(void);
int hook(int) __attribute__((weak));
int hook(int x) { return x + 1; }
extern int strlen_like(const char *) __attribute__((weak));
int main(void) {
    if (!hook || hook(1) != 2)
        reach_error();
    if (strlen_like)
        reach_error();
    return 0;
}
