//! unreach-call: false
// The tag is not changed together with the member, so an integer is read as a double.
// Witness for unreach-call: 2
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct value { enum { NUMBER, REAL } tag; union { long long number; double real; } u; };

static int positive(struct value v) {
  return v.tag == NUMBER ? v.u.number > 0 : v.u.real > 1.0;
}

int main(void) {
  struct value v = { NUMBER, { .number = 5 } };
  int x = __VERIFIER_nondet_int();
  if (x == 2) v.tag = REAL;
  if (!positive(v)) reach_error();
  return 0;
}
