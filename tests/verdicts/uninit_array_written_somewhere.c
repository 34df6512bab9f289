//! uninitialised: true
// What was written is read at the same index, wherever that is.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[8], i = __VERIFIER_nondet_int();
  if (i < 0 || i >= 8)
    return 0;
  a[i] = 5;
  return a[i] == 5 ? 0 : 1;
}
