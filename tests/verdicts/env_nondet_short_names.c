//! unreach-call: false
// The input functions of other tools: nondet_int and nondet_uint.
// Witness for unreach-call: 4 6
extern void reach_error(void);
int nondet_int(void);
unsigned int nondet_uint(void);

int main(void) {
  int x = nondet_int();
  unsigned y = nondet_uint();
  if (x > 0 && x < 10 && y == 2u * (unsigned)x - 2u && y == 6) reach_error();
  return 0;
}
