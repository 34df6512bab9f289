//! valid-memsafety: false(valid-free)
// free of a local that has ended.
extern void free(void *);
int main(void) {
  void *p;
  {
    long b[4] = {0};
    p = b;
  }
  free(p);
  return 0;
}
