//! valid-memsafety: false(valid-deref)
// A symbolic index may be equal to the length of a global array.
// Witness for valid-memsafety: 8
extern unsigned __VERIFIER_nondet_uint(void);

static int table[8] = { 1, 2, 3 };

int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 8) return 0;
  return table[i];
}
