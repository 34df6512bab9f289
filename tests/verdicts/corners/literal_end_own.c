//! unreach-call: false
// It need not lie there.
extern void reach_error(void);
int main(void) {
  const char *whole = "hello", *end = "lo";
  if (whole + 3 != end) reach_error();
  return 0;
}
