//! unreach-call: true
//! no-overflow: true
// Side effects: comma, short circuit, pre- and post-increment, compound assignment.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int calls;
static int count(int r) { calls++; return r; }

int main(void) {
  int x = (calls = 3, calls + 1);
  if (x != 4) reach_error();
  calls = 0;
  int c = __VERIFIER_nondet_int() != 0;
  if ((c && count(1)) != c || calls != c) reach_error();
  if (!(c || count(1)) || calls != 1) reach_error();
  int a[3] = { 1, 2, 3 }, i = 0;
  a[i++] += 10;
  if (i != 1 || a[0] != 11 || a[1] != 2) reach_error();
  if (++i != 2 || i-- != 2 || i != 1) reach_error();
  unsigned char b = 200;
  b += 100;
  if (b != 44) reach_error();
  b <<= 3;
  if (b != 96) reach_error();
  return 0;
}
