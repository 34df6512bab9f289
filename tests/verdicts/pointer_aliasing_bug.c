//! unreach-call: false
// Swapping without a temporary sets a cell to zero when both pointers are equal.
// Witness for unreach-call: 2 2
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void swap(unsigned *a, unsigned *b) {
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}

int main(void) {
  unsigned v[3] = { 1, 2, 3 };
  unsigned i = __VERIFIER_nondet_uint() % 3, j = __VERIFIER_nondet_uint() % 3;
  swap(&v[i], &v[j]);
  if (v[0] == 0 || v[1] == 0 || v[2] == 0) reach_error();
  return 0;
}
