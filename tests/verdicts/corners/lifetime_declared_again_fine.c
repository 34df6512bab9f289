//! unreach-call: true
//! valid-memsafety: true
// A variable stays where it is, and its initialiser runs again.
extern void reach_error(void);
int main(void) {
  int rounds = 0, *p = 0;
again:
  if (p && *p != 7) reach_error();
  int x = 7;
  if (p && p != &x) reach_error();
  p = &x;
  if (rounds++ < 2) goto again;
  return 0;
}
