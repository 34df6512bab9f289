//! unreach-call: true
//! no-overflow: true
// Hexadecimal, exponent and suffixed floating literals have the type and value that the standard says.
extern void reach_error(void);

int main(void) {
  float f = 0x1.8p1f;
  double d = 1e3;
  long double l = 0x.8P-1L;
  if (f != 3.0f) reach_error();
  if (d != 1000.) reach_error();
  if (l != 0.25L) reach_error();
  if (sizeof(1.0F) != sizeof(float)) reach_error();
  if (sizeof(1.0) != sizeof(double)) reach_error();
  if (sizeof(1.0l) != sizeof(long double)) reach_error();
  /* the product underflows to the smallest denormal, rounded away from zero */
  float tiny = 0x1p-100f, part = 0x1.8p-50f;
  float product = tiny * part;
  if (product != 0x1p-149f) reach_error();
  /* 0.1f and 0.1 differ once both are doubles */
  if ((double)0.1f == 0.1) reach_error();
  return 0;
}
