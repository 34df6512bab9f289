//! unreach-call: false
// What malloc gives holds any value, also in an object of one word.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  int *p = malloc(sizeof *p);
  if (p && *p == 77) reach_error();
  free(p);
  return 0;
}
