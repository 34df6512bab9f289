//! uninitialised: false
// Witness for uninitialised: 0
// The program ends with a status that was never computed.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int status;
  if (__VERIFIER_nondet_int() > 0)
    status = 0;
  return status;
}
