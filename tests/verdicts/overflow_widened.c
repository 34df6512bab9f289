//! no-overflow: true
// The product is widened before it is computed.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
  long area = (long)width * height;
  return area == 1;
}
