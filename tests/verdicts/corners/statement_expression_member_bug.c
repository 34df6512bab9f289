//! valid-memsafety: false(valid-deref)
// The temporary that a statement expression gives is gone when the full expression around it ended.
struct numbers {
  int at[3];
};

int main(void) {
  int *kept = ({
                struct numbers inner = {{1, 2, 3}};
                inner;
              }).at;
  return kept[1];
}
