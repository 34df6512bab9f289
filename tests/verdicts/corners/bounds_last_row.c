//! bounds: true
//! valid-memsafety: true
// The end of a row may be named, not accessed.
int grid[2][3];
int main(void) {
  int *end = &grid[0][3];
  int sum = 0;
  for (int *p = grid[0]; p != end; p++) sum += *p;
  return sum;
}
