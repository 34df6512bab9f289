//! unreach-call: false
// The failing branch depends on a flag that a callee sets behind two others, in a loop that looks like noise.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int flag;
static int steps;

static void deeper(int i) {
  steps++;
  if (i == 2)
    flag = 1;
}

static int outer(int i) {
  deeper(i);
  return steps;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += outer(i);
  int unused = __VERIFIER_nondet_int();
  if (unused > 7)
    sum = 0;
  if (flag)
    reach_error();
  return sum;
}
