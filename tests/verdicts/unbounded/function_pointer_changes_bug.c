//! unreach-call: false
// The called function changes in a late iteration.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int x;

static void a(void) {
  x++;
}

static void b(void) {
  x += 2;
}

int main(void) {
  void(*f)(void) = a;
  int n = 0;
  while (__VERIFIER_nondet_int()) {
    f();
    n++;
    if (n == 10) f = b;
  }
  if (x == 30) reach_error();
  return 0;
}
