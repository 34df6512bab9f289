//! unreach-call: false
// The same to the right: -8 shifted by one.
extern void reach_error(void);
int main(void) {
  int n = 33, x = -8;
  if (x >> n == -4) reach_error();
  return 0;
}
