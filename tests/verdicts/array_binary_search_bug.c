//! unreach-call: false
// The search never looks at the last element.
// Witness for unreach-call: 9
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  static const int a[5] = { 1, 3, 5, 7, 9 };
  int x = __VERIFIER_nondet_int(), low = 0, high = 4, found = 0;
  while (low < high) {
    int mid = (low + high) / 2;
    if (a[mid] == x) { found = 1; break; }
    if (a[mid] < x) low = mid + 1;
    else high = mid;
  }
  if (!found && x == 9) reach_error();
  return 0;
}
