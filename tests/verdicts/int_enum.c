//! unreach-call: true
//! no-overflow: true
// Enumerations: implicit values, negative ones, arithmetic.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

enum color { RED, GREEN = 5, BLUE, LAST = -2, NEXT };
enum flag { A = 1 << 0, B = 1 << 1, C = 1 << 2, ALL = A | B | C };

int main(void) {
  if (RED != 0 || BLUE != 6 || NEXT != -1) reach_error();
  enum color c = GREEN;
  c++;
  if (c != BLUE) reach_error();
  enum flag f = (enum flag)(__VERIFIER_nondet_uint() & ALL);
  if (f & ~7u) reach_error();
  if ((f & B) && f < 2) reach_error();
  return 0;
}
