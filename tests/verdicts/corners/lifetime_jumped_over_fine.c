//! valid-memsafety: true
//! unreach-call: true
// Inside of the block the variable lives, and another of the same name is another one.
extern void reach_error(void);
int main(void) {
  int x = 1, *p = &x, *outer = &x;
  goto inside;
  {
    int x;
  inside:
    x = 5;
    p = &x;
    if (*p + *outer != 6) reach_error();
  }
  return *outer;
}
