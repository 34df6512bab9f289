//! unreach-call: false
// So does a local that another function sees.
extern void reach_error(void);
static int read(int *p) { return *p; }
int main(void) {
  int x;
  if (read(&x) == -5) reach_error();
  return 0;
}
