//! unreach-call: true
//! no-overflow: true
// Direct and mutual recursion on a bounded symbolic argument.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 8;
  if (is_even(n) != (n % 2 == 0)) reach_error();
  if (fib(n) > 13) reach_error();
  if (n == 7 && fib(n) != 13) reach_error();
  return 0;
}
