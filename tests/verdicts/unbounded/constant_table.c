//! unreach-call: true
// A table of constants is read at a changing place.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

const int t[4] = {1, 2, 3, 4};

int main(void) {
  unsigned i = 0;
  int s = 0;
  while (__VERIFIER_nondet_int()) {
    s = t[i&3];
    i++;
    if (s > 4 || s < 1) reach_error();
  }
  return 0;
}
