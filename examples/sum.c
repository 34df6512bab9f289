// Counting in twos, for any number of rounds: a proof that needs an invariant of the loop, which Fathom finds. Try:
//   fathom verify examples/sum.c
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0, sum = 0;
  while (i < n) {
    i++;
    sum += 2;
  }
  assert(sum == 2 * i);
  return 0;
}
