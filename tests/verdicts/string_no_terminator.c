//! valid-memsafety: false(valid-deref)
// A string without its terminating zero is read past the end.
// Witness for valid-memsafety: 97 98 99
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char s[3];
  for (int i = 0; i < 3; i++)
    s[i] = __VERIFIER_nondet_char();
  int n = 0;
  while (s[n]) n++;
  return n;
}
