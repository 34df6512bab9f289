//! unreach-call: true
//! no-overflow: true
// goto backwards makes a loop, forwards leaves two; computed goto jumps through a table.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int n = 0;
again:
  if (++n < 4) goto again;
  if (n != 4) reach_error();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (i * j == 2) { n = 10 * i + j; goto out; }
  n = -1;
out:
  if (n != 12) reach_error();
  void *const targets[] = { &&even, &&odd };
  unsigned x = __VERIFIER_nondet_uint();
  goto *targets[x & 1];
odd:
  if (x % 2 != 1) reach_error();
  return 0;
even:
  if (x % 2 != 0) reach_error();
  return 0;
}
