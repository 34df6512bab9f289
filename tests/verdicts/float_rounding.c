//! unreach-call: true
// Addition is not associative; 0.1 has no exact representation; large floats have gaps.
extern void reach_error(void);

int main(void) {
  double a = 0.1, b = 0.2, c = 0.3;
  if (a + b == c) reach_error();
  if (!(a + b > c)) reach_error();
  if ((a + b) + c == a + (b + c)) reach_error();
  float f = 16777216.0f;
  if (f + 1.0f != f) reach_error();
  if (f + 2.0f == f) reach_error();
  double d = 9007199254740992.0;
  if (d + 1.0 != d || d - 1.0 == d) reach_error();
  float third = 1.0f / 3.0f;
  if ((double)third == 1.0 / 3.0) reach_error();
  return 0;
}
