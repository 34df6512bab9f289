//! valid-memsafety: false(valid-deref)
// Calling it all the same.
extern void hook(void) __attribute__((weak));
int main(void) {
    hook();
    return 0;
}
