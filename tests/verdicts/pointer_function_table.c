//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A table of functions is called at a symbolic index.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static int (*const ops[])(int, int) = { add, sub, mul };

int main(void) {
  unsigned i = __VERIFIER_nondet_uint() % 3;
  int r = ops[i](6, 3);
  if (r != (i == 0 ? 9 : i == 1 ? 3 : 18)) reach_error();
  int (*f)(int, int) = *ops;
  if (f != add || f == sub || (*f)(1, 1) != 2 || (***f)(1, 1) != 2) reach_error();
  return 0;
}
