//! unreach-call: false
// What a variable holds is indeterminate whenever its declaration is reached (C17 6.2.4), also by a jump inside of its block.
extern void reach_error(void);
int main(void) {
  int rounds = 0;
again:;
  int x;
  if (rounds == 1) {
    if (x != 7) reach_error();
    return 0;
  }
  x = 7;
  rounds++;
  goto again;
}
