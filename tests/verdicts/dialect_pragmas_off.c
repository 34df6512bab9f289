//! no-overflow: true
// Nothing that could overflow is checked.
extern int __VERIFIER_nondet_int(void);

#pragma CPROVER check disable "signed-overflow"
int main(void) {
  return __VERIFIER_nondet_int() + 1;
}
