// The midpoint of a binary search, computed as most of us first do. Try:
//   fathom verify examples/binary_search.c --property no-overflow
// A range that ends high enough makes low + high overflow.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int midpoint(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= low && low <= high);
  int middle = midpoint(low, high);
  return low <= middle && middle <= high;
}
