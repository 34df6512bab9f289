//! valid-memsafety: false(valid-deref)
// A member of a structure so far away that its address comes round.
struct pair { int left, right; } pairs[2];
int main(void) {
  unsigned long i = 1ul << 61;
  pairs[i].right = 1;
  return 0;
}
