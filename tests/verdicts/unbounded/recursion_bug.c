//! unreach-call: false
// The depth of the recursion is an input; at depth five the error comes.
// Witness for unreach-call: 5
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void down(unsigned n, unsigned depth) {
  if (n == 0) {
    if (depth == 5) reach_error();
    return;
  }
  down(n - 1, depth + 1);
}

int main(void) {
  down(__VERIFIER_nondet_uint(), 0);
  return 0;
}
