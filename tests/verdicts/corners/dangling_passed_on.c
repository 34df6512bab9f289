//! dangling: false
// A pointer to a local that has ended is passed on.
int is_null(int *p) { return !p; }
int main(void) {
  int *p;
  {
    int local = 1;
    p = &local;
  }
  return is_null(p);
}
