//! unreach-call: true
// Literals with other bytes lie apart, at other places of one that may be shared nothing is equal, and variables are
// objects of their own.
extern void reach_error(void);
static const char one[] = "lo", two[] = "lo";
int main(void) {
  const char *whole = "hello", *other = "help", *end = "lo";
  if (whole == other || whole + 2 == end || whole + 4 == end) reach_error();
  if (one == two || one == end || whole + 3 == two) reach_error();
  return 0;
}
