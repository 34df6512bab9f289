//! unreach-call: true
// Definitions in the old style: parameter types after the list, promoted arguments, implicit int.
extern void reach_error();

static add(a, b)
  int a;
  char b;
{
  return a + b;
}

static double half(x) float x; { return x / 2; }

static count;

main() {
  register i;
  for (i = 0; i < 3; i++) count += add(i, 256 + 1);
  if (count != 6) reach_error();
  if (half(3.0) != 1.5) reach_error();
  return 0;
}
