//! unreach-call: false
//! valid-memsafety: true
// The same of one whose address was taken: it lives on, but holds nothing.
extern void reach_error(void);
int main(void) {
  int rounds = 0, *p = 0;
again:;
  int x[2];
  if (rounds == 1) {
    if (*p != 7) reach_error();
    return 0;
  }
  x[0] = 7;
  p = x;
  rounds++;
  goto again;
}
