//! unreach-call: true
//! no-overflow: true
// A volatile variable of the program keeps what was written to it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  volatile int v = 3;
  volatile unsigned char *p;
  unsigned char c = 1;
  if (v != 3) reach_error();
  v = __VERIFIER_nondet_int();
  int a = v, b = v;
  if (a != b) reach_error();
  p = &c;
  *p = 200;
  if (c != 200) reach_error();
  return 0;
}
