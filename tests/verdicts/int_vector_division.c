//! div-by-zero: true
// Every element of the divisor counts.
extern int __VERIFIER_nondet_int(void);
typedef int pair __attribute__((vector_size(8)));

int main(void) {
  pair a = { 6, 8 }, b = { 3, __VERIFIER_nondet_int() | 1 };
  pair c = a / b;
  return c[0];
}
