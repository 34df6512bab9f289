//! unreach-call: false
// A literal that is the end of another one may lie inside of it (C17 6.4.5); linkers put it there.
extern void reach_error(void);
int main(void) {
  const char *whole = "hello", *end = "lo";
  if (whole + 3 == end) reach_error();
  return 0;
}
