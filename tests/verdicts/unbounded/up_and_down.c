//! unreach-call: true
// What one loop counts up another counts down, as often.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), stock = 0;
  for (int i = 0; i < n; i++) stock++;
  for (int i = 0; i < n; i++) {
    if (stock <= 0) reach_error();
    stock--;
  }
  return 0;
}
