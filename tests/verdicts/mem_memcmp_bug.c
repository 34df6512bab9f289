//! unreach-call: false
// Equal structs may compare unequal because memcmp looks at the padding.
// Witness for unreach-call: 1
#include <string.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct s { char c; int n; };

int main(void) {
  struct s a, b;
  memset(&a, 0, sizeof a);
  memset(&b, __VERIFIER_nondet_uchar(), sizeof b);
  a.c = b.c = 'x';
  a.n = b.n = 5;
  if (memcmp(&a, &b, sizeof a) != 0) reach_error();
  return 0;
}
