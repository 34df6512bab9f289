//! unreach-call: true
// A recursive procedure that reads one global variable, changes another and calls itself from two places.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int step = 2, sum;

static void add(int n) {
  if (n <= 0) return;
  sum = sum + step;
  if (n > 2) add(n - 2);
  else add(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 5) return 0;
  sum = 0;
  add(n);
  if (sum < 0 || sum > 6 || step != 2) reach_error();
  return 0;
}
