//! unreach-call: false
// The second loop runs once too often.
// Witness for unreach-call: 0
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), stock = 0;
  if (n < 0) return 0;
  for (int i = 0; i < n; i++) stock++;
  for (int i = 0; i <= n; i++) {
    if (stock <= 0) reach_error();
    stock--;
  }
  return 0;
}
