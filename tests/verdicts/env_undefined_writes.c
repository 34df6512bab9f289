//! unreach-call: true
// What is const, what no argument points to and what is a number stays as it was.
extern void reach_error(void);
extern int use(const int *from, const char *name, int x, void *other);
static int global = 3;

int main(void) {
  int x = 1, y = 2, z = 4;
  use(&x, "name", y, &z);
  if (x != 1 || y != 2 || global != 3)
    reach_error();
  return 0;
}
