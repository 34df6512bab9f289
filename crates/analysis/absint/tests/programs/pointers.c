// What is written through a pointer reaches what it points to, and only that.
extern int __VERIFIER_nondet_int(void);
int safe, hit, other;
int main(void) {
  int local = 1, seen = 2;
  int *p = __VERIFIER_nondet_int() ? &hit : &local;
  int *q = &seen;
  while (__VERIFIER_nondet_int()) {
    *p = 7;
    if (*q < 50) (*q)++;
    other = hit;
    if (safe > 3) safe = 0;
  }
  return local + seen;
}
