//! unreach-call: true
//! no-overflow: true
// Conversion to integers truncates toward zero; from integers it rounds to nearest even.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  if ((int)2.9 != 2 || (int)-2.9 != -2 || (unsigned char)200.7 != 200) reach_error();
  int x = __VERIFIER_nondet_int();
  if ((int)(double)x != x) reach_error();
  if ((float)16777217 != 16777216.0f || (float)16777219 != 16777220.0f) reach_error();
  float f = __VERIFIER_nondet_float();
  if (f > -1000.0f && f < 1000.0f) {
    int t = (int)f;
    if (t - f >= 1.0f || f - t >= 1.0f) reach_error();
    if (f >= 0 && t > f) reach_error();
  }
  if ((double)0xffffffffffffffffull != 18446744073709551616.0) reach_error();
  return 0;
}
