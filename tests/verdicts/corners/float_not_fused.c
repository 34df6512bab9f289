//! unreach-call: true
// Without it they are rounded twice.
extern void reach_error(void);
static double residue(double a, double b, double c) { return a * b + c; }
int main(void) {
  if (residue(0x1.0000001p0, 0x1.0000001p0, -0x1.0000002p0) != 0) reach_error();
  return 0;
}
