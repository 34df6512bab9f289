//! uninitialised: false
// What is switched on comes through a function.
static int choose(int *which) { return *which; }
int main(void) {
  int which;
  switch (choose(&which)) {
  case 1:
    return 1;
  default:
    return 0;
  }
}
