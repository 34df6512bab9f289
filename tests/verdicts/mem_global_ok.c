//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A symbolic index into a global array, checked.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int table[8] = { 1, 2, 3 };

int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i >= 8) return 0;
  table[i] += 10;
  if (table[i] < 10 || table[i] > 13) reach_error();
  return 0;
}
