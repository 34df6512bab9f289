//! unreach-call: true
//! valid-memsafety: true
//! flags: --32
// Under ILP32 a pointer survives a round trip through int.
extern void reach_error(void);

int main(void) {
  int x = 5;
  int *p = (int *)(int)&x;
  *p = 6;
  if (x != 6 || p != &x) reach_error();
  unsigned u = (unsigned)&x;
  if (u == 0 || u % 4 != 0) reach_error();
  return 0;
}
