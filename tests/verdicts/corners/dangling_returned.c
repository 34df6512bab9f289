//! dangling: false
// The address of a local is returned, and used to compute another.
int *local_of(int x) {
  int *p = &x;
  return p;
}
int main(void) { return local_of(1) + 1 == 0; }
