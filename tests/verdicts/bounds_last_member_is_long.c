//! unreach-call: true
//! valid-memsafety: true
//! bounds: false
// An array at the end of a structure is used beyond its length, as old code does. Whoever does not ask about indices gets an answer.
#include <stdlib.h>
struct text { int length; char letters[4]; };
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 5 || n > 9) return 0;
  struct text *t = malloc(sizeof *t + 5);
  t->letters[n - 1] = 'x';
  if (t->letters[n - 1] != 'x') reach_error();
  free(t);
  return 0;
}
