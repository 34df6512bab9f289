//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Moving by elements, differences, comparison inside one array, one past the end.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int a[5] = { 5, 6, 7, 8, 9 };
  int *end = a + 5;
  unsigned i = __VERIFIER_nondet_uint() % 5;
  int *p = a + i;
  if (p >= end || p < a) reach_error();
  if (p - a != (long)i || (char *)p - (char *)a != 4 * (long)i) reach_error();
  if (end - p + (p - a) != 5) reach_error();
  if (*p != (int)i + 5 || *(end - 1) != 9 || 2[a] != 7) reach_error();
  p++;
  if (p > end) reach_error();
  if (&a[i] + 1 != p) reach_error();
  return 0;
}
