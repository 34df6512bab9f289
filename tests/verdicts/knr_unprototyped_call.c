//! unreach-call: true
// Calls through a declaration without prototype: the arguments are promoted.
extern void reach_error();
extern int __VERIFIER_nondet_int();

int pick();
int (*table[2])() = { pick, pick };

int main() {
  char c = 'x';
  float f = 2.5f;
  if (pick(c, f, 3) != 3) reach_error();
  if (table[1](c, f, __VERIFIER_nondet_int() & 7) > 7) reach_error();
  return 0;
}

int pick(c, d, n)
  int c, n;
  double d;
{
  return c == 'x' && d == 2.5 ? n : -1;
}
