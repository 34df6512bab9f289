//! valid-memsafety: true
//! unreach-call: true
// Each inlined call has locals of its own, and pointers to the caller's stay good.
extern void reach_error(void);
static inline __attribute__((always_inline)) int *twice(int *p) {
  int x = *p, *q = &x;
  *p = *q * 2;
  return p;
}
int main(void) {
  int a = 1, b = 2;
  if (*twice(&a) + *twice(&b) != 6) reach_error();
  return 0;
}
