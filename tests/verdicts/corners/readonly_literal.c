//! valid-memsafety: false(valid-deref)
// A string literal lies in memory that can't be written.
int main(void) {
  char *text = "fixed";
  text[0] = 'F';
  return text[0];
}
