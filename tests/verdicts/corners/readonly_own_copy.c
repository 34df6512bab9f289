//! valid-memsafety: true
// An array that is initialised with a literal is the program's own.
int main(void) {
  char text[] = "fixed";
  const int local = 1;
  text[0] = 'F';
  return text[0] - 'F' + local - 1;
}
