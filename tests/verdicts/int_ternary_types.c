//! unreach-call: true
//! no-overflow: true
// The two arms of ?: are brought to one type before the result is used.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int c = __VERIFIER_nondet_int() & 1;
  long wide = c ? -1 : 0u;
  if (c && wide != 4294967295L) reach_error();
  if (!c && wide != 0) reach_error();
  double d = c ? 1 : 0.5;
  if (c && d != 1.0) reach_error();
  if (sizeof(c ? (char)1 : (char)2) != 4) reach_error();
  int y = c ?: 42;
  if (y != (c ? 1 : 42)) reach_error();
  return 0;
}
