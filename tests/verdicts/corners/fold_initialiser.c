//! no-overflow: false
// clang computes the sum while it compiles; C says that it has no value.
int main(void) {
  const int limit = 2147483647;
  int next = limit + 1;
  return next == 0;
}
