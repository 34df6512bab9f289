//! bounds: false
//! valid-memsafety: true
// An array at the end of a structure that is itself part of another has as many elements as it says.
struct row { int count, cells[4]; };
struct table { struct row rows[2]; };
extern int __VERIFIER_nondet_int(void);

int main(void) {
  struct table t = { 0 };
  struct table *p = &t;
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  p->rows[0].cells[n] = 1;
  return t.rows[1].count;
}
