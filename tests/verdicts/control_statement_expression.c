//! unreach-call: true
//! no-overflow: true
// GNU statement expressions and nested conditionals.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int m = MAX(x, y);
  if (m < x || m < y || (m != x && m != y)) reach_error();
  int n = 0;
  int k = MAX(n++, -1);
  if (n != 1 || k != 0) reach_error();
  return 0;
}
