//! unreach-call: true
// What a round learns about an input that it forgets is nothing about the next: the states of this loop are few.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned key = __VERIFIER_nondet_uint(), doors = 0;
  for (;;) {
    unsigned tried = __VERIFIER_nondet_uint();
    if (tried + 3 != key) doors = 1;
    else doors = 2;
    if (doors > 2) reach_error();
  }
  return 0;
}
