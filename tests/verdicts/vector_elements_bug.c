//! bounds: false
//! unreach-call: false
// The index may be past the last element of the vector; and one of the elements differs.
// Witness for unreach-call: 2
// Witness for bounds: 4
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

typedef unsigned char four __attribute__((vector_size(4)));

int main(void) {
  int at = __VERIFIER_nondet_int();
  four v = { 1, 1, 7, 1 };
  if (at < 0 || at > 4) return 0;
  if (v[at] == 7) reach_error();
  return 0;
}
