//! unreach-call: true
//! no-overflow: true
// _Generic chooses by the type of its controlling expression, which is not evaluated.
extern void reach_error(void);

static int for_int(int x) { return x + 1; }
static int for_double(double x) { return (int)(x * 2); }
static int for_pointer(const void *p) { return p ? 100 : 0; }

#define APPLY(x) _Generic((x), \
    int: for_int,              \
    double: for_double,        \
    char *: for_pointer,       \
    default: for_pointer)(x)

int main(void) {
  int n = 4;
  char text[2] = "a";
  if (APPLY(n) != 5) reach_error();
  if (APPLY(1.5) != 3) reach_error();
  if (APPLY(text) != 100) reach_error();
  if (APPLY(&n) != 100) reach_error();
  if (_Generic(n++, int: 1, default: 2) != 1 || n != 4) reach_error();
  if (_Generic('x', char: 1, int: 2) != 2) reach_error();
  if (_Generic((char)1 + (char)1, char: 1, int: 2) != 2) reach_error();
  return 0;
}
