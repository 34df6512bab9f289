//! unreach-call: false
// A pointer that is computed outside of its array and only compared: compilers and people take it for what it says.
extern void reach_error(void);
int main(void) {
  int a[2], *end = a + sizeof(a) / 2 - 1, n = 0;
  for (int *p = a; p <= end; p++) n++;
  if (n > 2) reach_error();
  return 0;
}
