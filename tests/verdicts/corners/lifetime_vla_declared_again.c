//! valid-memsafety: false(valid-deref)
// The declaration makes a new array each time; the one before it is gone, though an earlier array of the block stays.
int main(void) {
  int n = 2, round = 0;
  int stays[n];
  stays[0] = 1;
  int *old = stays;
again:;
  int a[n];
  a[0] = round + *old;
  if (round == 1) return 0;
  old = a;
  round++;
  goto again;
}
