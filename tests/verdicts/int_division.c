//! unreach-call: true
//! no-overflow: true
// Division truncates toward zero; the remainder has the sign of the dividend.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  if (-7 / 2 != -3 || -7 % 2 != -1 || 7 / -2 != -3 || 7 % -2 != 1) reach_error();
  int x = __VERIFIER_nondet_int();
  if (x < -50 || x > 50) return 0;
  int q = x / 7, r = x % 7;
  if (q * 7 + r != x) reach_error();
  if (r <= -7 || r >= 7) reach_error();
  if (x < 0 && r > 0) reach_error();
  if (x > 0 && r < 0) reach_error();
  return 0;
}
