//! unreach-call: true
// A function without a body returns some value of its type, which then stays the same.
extern void reach_error(void);
extern int fathom_test_external(int);

int main(void) {
  int x = fathom_test_external(1);
  int y = x;
  if (x != y) reach_error();
  unsigned char c = (unsigned char)x;
  if (c > 255) reach_error();
  return 0;
}
