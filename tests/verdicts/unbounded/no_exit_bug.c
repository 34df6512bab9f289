//! unreach-call: false
// A loop without exit, with the check in a callee.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int k;

static void chk(void) {
  if (k == 27) reach_error();
}

int main(void) {
  for (;;) {
    if (__VERIFIER_nondet_int()) k++;
    chk();
  }
}
