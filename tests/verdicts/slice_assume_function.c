//! unreach-call: true
// What ends a path matters although it computes nothing: here a function that never comes back for other values.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static void only(int allowed) {
  if (!allowed)
    for (;;) {
    }
}

static int pick(void) {
  int x = __VERIFIER_nondet_int();
  only(x > 3);
  return x;
}

int main(void) {
  int noise = 0;
  for (int i = 0; i < __VERIFIER_nondet_int(); i++)
    noise += i;
  int x = pick();
  if (x <= 3)
    reach_error();
  return noise;
}
