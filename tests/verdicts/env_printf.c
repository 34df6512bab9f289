//! unreach-call: true
//! valid-memsafety: true
// Output changes nothing in the program.
#include <stdio.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int before = x;
  printf("%d %s\n", x, "text");
  puts("done");
  putchar('\n');
  if (x != before) reach_error();
  return 0;
}
