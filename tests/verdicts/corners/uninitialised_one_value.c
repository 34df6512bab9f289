//! unreach-call: true
// Within its scope it has one value.
extern void reach_error(void);
int main(void) {
  for (int i = 0; i < 2; i++) {
    int x;
    int y = x;
    if (x != y) reach_error();
  }
  return 0;
}
