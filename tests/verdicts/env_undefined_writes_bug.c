//! unreach-call: false
// A function that is only declared may write through a pointer to what is not const.
extern void reach_error(void);
extern void get(int *to);
extern void show(const int *from);

int main(void) {
  int x = 1, y = 2;
  show(&y);
  if (y != 2)
    return 0;
  get(&x);
  if (x == 12)
    reach_error();
  return 0;
}
