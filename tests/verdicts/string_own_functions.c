//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Length and comparison by hand over a string of symbolic characters.
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

static unsigned length(const char *s) {
  const char *p = s;
  while (*p) p++;
  return (unsigned)(p - s);
}

int main(void) {
  char s[5];
  for (int i = 0; i < 4; i++)
    s[i] = __VERIFIER_nondet_char();
  s[4] = 0;
  unsigned n = length(s);
  if (n > 4) reach_error();
  if (s[n] != 0) reach_error();
  for (unsigned i = 0; i < n; i++)
    if (s[i] == 0) reach_error();
  return 0;
}
