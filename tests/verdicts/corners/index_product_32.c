//! no-overflow: false
//! flags: --32
// The product is an index, and overflows all the same. Witness for no-overflow: 65536
extern int __VERIFIER_nondet_int(void);
char a[4];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i != 0 && i != 65536) return 0;
  return a[i * i];
}
