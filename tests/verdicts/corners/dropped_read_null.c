//! valid-memsafety: false(valid-deref)
// A structure that is named is read, also if nobody wants its value.
struct s { int a, b; } *nothing;
int main(void) {
  *nothing;
  return 0;
}
