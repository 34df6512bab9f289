//! unreach-call: true
//! flags: --32
// The size of a variable-length array does not wrap round: there is no array of a gigabyte in two bytes.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0) return 0;
  int a[n];
  a[n - 1] = 3;
  if (a[n - 1] != 3) reach_error();
  return 0;
}
