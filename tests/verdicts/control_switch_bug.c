//! unreach-call: false
// A missing break lets the first case run into the second.
// Witness for unreach-call: 3
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int r = 0;
  switch (__VERIFIER_nondet_int()) {
  case 3: r = 1;
  case 4: r = 2; break;
  }
  if (r == 2) reach_error();
  return 0;
}
