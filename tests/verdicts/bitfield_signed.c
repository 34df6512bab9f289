//! unreach-call: true
//! no-overflow: true
// Signed bit-fields sign-extend when read; a one-bit signed field holds 0 or -1.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct s { signed a : 4; signed b : 1; signed char c : 6; long long d : 40; };

int main(void) {
  struct s v = { 7, 0, -1, 1 };
  v.a++;
  if (v.a != -8) reach_error();
  v.b = 1;
  if (v.b != -1) reach_error();
  int x = __VERIFIER_nondet_int();
  v.a = x;
  if (v.a < -8 || v.a > 7) reach_error();
  if (x >= -8 && x <= 7 && v.a != x) reach_error();
  v.d = 1LL << 39;
  if (v.d >= 0 || v.c != -1) reach_error();
  return 0;
}
