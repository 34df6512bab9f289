//! assertion: true
// Whole arrays, and bytes that become arbitrary.
int a[4] = {1, 2, 3, 4}, b[4];

int main(void) {
  __CPROVER_array_copy(b, a);
  __CPROVER_assert(b[3] == 4 && __CPROVER_array_equal(a, b), "copy");
  __CPROVER_array_set(a, 9);
  __CPROVER_assert(a[0] == 9 && a[3] == 9 && !__CPROVER_array_equal(a, b), "set");
  __CPROVER_havoc_slice(&b[1], sizeof(int));
  __CPROVER_assert(b[0] == 1 && b[2] == 3, "the slice only");
  return 0;
}
