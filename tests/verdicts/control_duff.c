//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// A loop entered in the middle through a switch copies n bytes.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  char from[8] = "abcdefg", to[8] = { 0 };
  unsigned n = __VERIFIER_nondet_uint() % 7 + 1;
  char *p = to, *q = from;
  unsigned rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { *p++ = *q++;
  case 3:      *p++ = *q++;
  case 2:      *p++ = *q++;
  case 1:      *p++ = *q++;
          } while (--rounds > 0);
  }
  if (p - to != (long)n || to[n - 1] != from[n - 1] || to[n] != 0) reach_error();
  return 0;
}
