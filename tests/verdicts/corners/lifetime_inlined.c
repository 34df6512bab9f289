//! valid-memsafety: false(valid-deref)
// A function that must be inlined still ends its locals when it returns.
static inline __attribute__((always_inline)) int *local(void) {
  int x = 1, *p = &x;
  return p;
}
int main(void) { return *local(); }
