//! unreach-call: true
//! valid-memsafety: true
// Globals and statics without initialiser are zero, padding or not, pointers too.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static struct { char c; double d; int *p; } g;
int tentative;
int tentative;
static unsigned char bytes[32];

int main(void) {
  static float local;
  if (g.c || g.d != 0 || g.p || tentative || local != 0) reach_error();
  if (bytes[__VERIFIER_nondet_uint() % 32]) reach_error();
  return 0;
}
