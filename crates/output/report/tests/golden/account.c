// A balance that a withdrawal may only lower.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void withdraw(int balance, int amount) {
  if (amount > balance) return;
  if (balance - amount > balance) reach_error();
}

int main(void) {
  int balance = 100;
  int amount = __VERIFIER_nondet_int();
  withdraw(balance, amount);
  return 0;
}
