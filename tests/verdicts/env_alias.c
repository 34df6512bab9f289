//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Function and variable aliases, weak definitions, inline functions.
extern void reach_error(void);

int real_function(int x) { return x + 1; }
int other_name(int x) __attribute__((alias("real_function")));
int cell = 3;
extern int same_cell __attribute__((alias("cell")));
__attribute__((weak)) int weak_value(void) { return 8; }
static inline int twice(int x) { return 2 * x; }

int main(void) {
  if (other_name(4) != 5 || twice(4) != 8 || weak_value() != 8) reach_error();
  same_cell = 9;
  if (cell != 9 || &cell != &same_cell) reach_error();
  return 0;
}
