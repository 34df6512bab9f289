//! unreach-call: true
//! valid-memsafety: true
// offsetof of plain, nested and array members, and the way back from a member to its struct.
#include <stddef.h>
extern void reach_error(void);

struct inner { float f; double d; };
struct outer { int i; struct inner s[10]; char tail; };

int main(void) {
  if (offsetof(struct outer, i) != 0) reach_error();
  if (offsetof(struct outer, s) != 8) reach_error();
  if (offsetof(struct outer, s[3].d) != 64) reach_error();
  if (offsetof(struct outer, tail) != 168 || sizeof(struct outer) != 176) reach_error();

  struct outer o;
  double *d = &o.s[3].d;
  struct outer *back = (struct outer *)((char *)d - offsetof(struct outer, s[3].d));
  back->i = 77;
  if (o.i != 77) reach_error();
  return 0;
}
