//! valid-memsafety: true
// A text of any length ends with its null character. Exploring paths proves nothing here.
int main(int argc, char **argv) {
  if (argc > 1) {
    char *p = argv[1];
    while (*p) p++;
  }
  return 0;
}
