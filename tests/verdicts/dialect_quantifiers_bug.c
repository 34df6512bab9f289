//! assertion: false
// One element is left out, and only a value that stands for all shows it.
int zeros[10];

int main(void) {
  zeros[7] = 1;
  __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 10) ==> zeros[i] == 0 }, "zeros");
  return 0;
}
