//! no-overflow: true
// Arithmetic on a signed bit-field is done as int; the result is cut when stored.
extern int __VERIFIER_nondet_int(void);

struct s { signed n : 5; };

int main(void) {
  struct s v;
  v.n = __VERIFIER_nondet_int();
  v.n++;
  v.n = v.n * v.n;
  v.n = -v.n;
  return v.n == 3;
}
