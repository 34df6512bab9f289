//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Static assertions are settled by the compiler and leave nothing behind.
extern void reach_error(void);

_Static_assert(sizeof(int) == 4, "int has 32 bits");

struct header {
  unsigned short kind, length;
  _Static_assert(sizeof(unsigned short) == 2, "inside a struct");
};

int main(void) {
  _Static_assert(sizeof(struct header) == 4, "no padding");
  struct header h = { 1, 2 };
  if (h.kind != 1 || h.length != 2) reach_error();
  return 0;
}
