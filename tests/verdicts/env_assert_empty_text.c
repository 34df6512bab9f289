//! assertion: false
// An empty text, which LLVM keeps in another form than others.
void __assert_fail(const char *text, const char *file, int line, const char *function);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 3)
    __assert_fail("", "", 0, "");
  return 0;
}
