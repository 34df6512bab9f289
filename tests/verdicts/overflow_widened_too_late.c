//! no-overflow: false
// The product is computed as int before it is widened.
// Witness for no-overflow: 100000 100000
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
  if (width < 0 || width > 100000 || height < 0 || height > 100000) return 0;
  long area = width * height;
  return area == 1;
}
