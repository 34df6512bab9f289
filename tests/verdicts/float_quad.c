//! unreach-call: true
// __float128 has 113 bits of precision, more than long double.
extern void reach_error(void);

int main(void) {
  __float128 one = 1;
  __float128 tiny = 0x1p-112q;
  if (one + tiny == one) reach_error();
  if ((long double)(one + tiny) != 1.0L) reach_error();
  if (one + tiny / 2 != one) reach_error();
  __float128 third = one / 3;
  if (third * 3 != one || third == (__float128)(1.0L / 3.0L)) reach_error();
  if ((long long)(third * 10) != 3) reach_error();
  if (sizeof one != 16) reach_error();
  return 0;
}
