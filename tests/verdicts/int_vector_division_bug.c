//! div-by-zero: false
// One element of the divisor may be zero.
extern int __VERIFIER_nondet_int(void);
typedef int pair __attribute__((vector_size(8)));

int main(void) {
  pair a = { 6, 8 }, b = { 3, __VERIFIER_nondet_int() };
  pair c = a / b;
  return c[0];
}
