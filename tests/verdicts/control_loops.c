//! unreach-call: true
//! no-overflow: true
// do/while runs at least once; break and continue act on the innermost loop; the for step still runs.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 5;
  unsigned rounds = 0, i = n;
  do rounds++; while (i > 0 && --i > 0);
  if (rounds != (n == 0 ? 1 : n)) reach_error();
  unsigned odd = 0, steps = 0;
  for (unsigned k = 0; k < 6; k++, steps++) {
    if (k % 2 == 0) continue;
    if (k == 5) break;
    odd += k;
  }
  if (odd != 4 || steps != 5) reach_error();
  unsigned cells = 0;
  for (unsigned a = 0; a < n; a++)
    for (unsigned b = a; b < n; b++)
      cells++;
  if (cells != n * (n + 1) / 2) reach_error();
  return 0;
}
