//! unreach-call: true
//! valid-memsafety: true
// The address of a static local stays good.
extern void reach_error(void);

static int *counter(void) {
  static int value = 4;
  return &value;
}

int main(void) {
  ++*counter();
  if (*counter() != 5) reach_error();
  return 0;
}
