//! valid-memsafety: true
// Negative indices, also those that are written as large unsigned numbers of the width of pointers.
int a[4], rows[3][4];
int main(void) {
  int *p = a + 3;
  int(*row)[4] = rows + 2;
  unsigned k = 3;
  return *(p - k) + p[-3] + p[-3ul] + row[-2][1] + (&a[4])[-1];
}
