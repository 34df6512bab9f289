//! unreach-call: false
// A local without initialiser is arbitrary anew in each round.
extern void reach_error(void);
int main(void) {
  unsigned char seen[2];
  for (int i = 0; i < 2; i++) {
    unsigned char x;
    seen[i] = x;
  }
  if (seen[0] != seen[1]) reach_error();
  return 0;
}
