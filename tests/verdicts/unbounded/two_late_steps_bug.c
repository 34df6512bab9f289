//! unreach-call: false
// Two iterations in a row are good and the third is not, but only late.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (y) reach_error();
    if (x == 20) y = 1;
    x++;
  }
  return 0;
}
