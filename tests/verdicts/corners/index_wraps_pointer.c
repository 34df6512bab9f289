//! valid-memsafety: false(valid-deref)
// A pointer that is moved back by the whole address space.
long a[4];
int main(void) {
  long *p = a + 3;
  return *(p - (1l << 61));
}
