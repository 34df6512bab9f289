//! valid-memsafety: false(valid-deref)
// The pointer is not null, but what it names has ended. Witness for valid-memsafety: 3
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = 0;
  if (__VERIFIER_nondet_int() == 3) {
    char c = 1;
    p = &c;
  }
  return p != 0 && *p == 1;
}
