//! unreach-call: false
// A negative length passes a check against sizeof, which is unsigned.
// Witness for unreach-call: -1
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char buffer[8];
  int length = __VERIFIER_nondet_int();
  if (length > 8) return 0;
  if (length > sizeof buffer) reach_error();
  return 0;
}
