//! valid-memsafety: false(valid-deref)
// The object of the round before has ended.
int main(void) {
  int *last = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    int here[2] = {i, i};
    if (last) sum += *last;
    last = here + 1;
  }
  return sum;
}
