//! valid-memsafety: true
// An array that is declared before the label, and memory of alloca, stay.
#include <alloca.h>
int main(void) {
  int n = 2, round = 0;
  int stays[n], *kept = 0;
  stays[0] = 1;
again:
  if (round == 2) return stays[0] + *kept;
  int a[n];
  a[0] = round;
  if (round == 0) kept = alloca(n * sizeof(int));
  *kept = a[0];
  round++;
  goto again;
}
