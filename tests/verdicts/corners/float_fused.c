//! unreach-call: false
//! flags: --clang-arg -mfma
// With the instruction for it, a product and a sum in one expression are rounded once.
extern void reach_error(void);
static double residue(double a, double b, double c) { return a * b + c; }
int main(void) {
  if (residue(0x1.0000001p0, 0x1.0000001p0, -0x1.0000002p0) != 0) reach_error();
  return 0;
}
