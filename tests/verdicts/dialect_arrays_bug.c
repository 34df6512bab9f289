//! assertion: false
// The slice has any contents.
int a[4];

int main(void) {
  __CPROVER_havoc_slice(&a[1], 4);
  __CPROVER_assert(a[1] == 0, "still zero");
  return 0;
}
