//! unreach-call: false
// A variadic function through a pointer takes more arguments than it has parameters, and is called all the same.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int (*reporter)(const char *, ...);
static int report(const char *what, ...) {
  if (what[0] == 'x') reach_error();
  return 0;
}
static int quiet(const char *what, ...) { return what[0]; }
int main(void) {
  reporter = __VERIFIER_nondet_int() ? report : quiet;
  return reporter("x", 1, 2);
}
