//! valid-memsafety: false(valid-deref)
// A compound literal in the head of a switch ends with the switch.
int main(void) {
  int *p;
  switch ((p = &(int){1})[0]) {
  case 1: break;
  }
  return *p;
}
