//! unreach-call: true
// Functions of verifiers mean the same where C++ declares them without "C".
void reach_error();
int __VERIFIER_nondet_int();
void __VERIFIER_assume(int);

int main() {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 7);
  if (x < 8)
    reach_error();
  return 0;
}
