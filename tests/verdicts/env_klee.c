//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// KLEE's intrinsics: a symbolic object, an assumption on it.
#include <stddef.h>
extern void reach_error(void);
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
void klee_assume(unsigned long condition);

struct input { int x; unsigned char tail[2]; };

int main(void) {
  struct input in;
  int y = 5;
  klee_make_symbolic(&in, sizeof in, "in");
  klee_assume(in.x > 0);
  klee_assume(in.tail[0] < in.tail[1]);
  if (in.x <= 0 || in.tail[0] == 255) reach_error();
  if (y != 5) reach_error();
  return 0;
}
