//! unreach-call: false
// A loop changes a global through a pointer, and only a late iteration goes wrong.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int g;
int *p = &g;

int main(void) {
  int i = 0;
  while (__VERIFIER_nondet_int()) {
    *p += 1;
    i++;
    if (g == 40) reach_error();
  }
  return 0;
}
