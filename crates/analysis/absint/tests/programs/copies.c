// A condition on a copy sharpens the original while both are the same, not after one of them changed.
extern int __VERIFIER_nondet_int(void);
int level;
int main(void) {
  for (;;) {
    int seen = level;
    if (seen >= 10) break;
    level = seen + 1;
    int stale = level;
    level = __VERIFIER_nondet_int();
    if (stale < 5) continue;
    if (level < 0 || level > 20) level = 0;
  }
  return level;
}
