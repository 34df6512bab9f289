//! unreach-call: false
// A half-precision number above 2048 does not change when it is incremented.
// Witness for unreach-call: 4096
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  _Float16 count = __VERIFIER_nondet_float();
  if (!(count > (_Float16)1.0f) || !(count < (_Float16)60000.0f)) return 0;
  _Float16 next = count + (_Float16)1.0f;
  if (next == count) reach_error();
  return 0;
}
