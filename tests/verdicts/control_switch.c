//! unreach-call: true
//! no-overflow: true
// Fall-through, a range of cases, default in the middle, no case that fits.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), r = 0;
  switch (x) {
  case 1: r += 1;
  case 2: r += 2; break;
  default: r = 100; break;
  case 10 ... 19: r = 50; break;
  case -1: r = 7;
  }
  if (x == 1 && r != 3) reach_error();
  if (x == 2 && r != 2) reach_error();
  if (x == 15 && r != 50) reach_error();
  if (x == 20 && r != 100) reach_error();
  if (x == -1 && r != 7) reach_error();
  switch (x) { case 5: r = -1; }
  if ((r == -1) != (x == 5)) reach_error();
  return 0;
}
