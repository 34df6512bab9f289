//! unreach-call: true
//! no-overflow: true
// Unsigned bit-fields keep the low bits of what is assigned and promote to int.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct flags { unsigned a : 3, b : 5, c : 1; };

int main(void) {
  struct flags f = { 0, 0, 0 };
  unsigned x = __VERIFIER_nondet_uint();
  f.a = x;
  f.b = x >> 3;
  if (f.a != (x & 7) || f.b != (x >> 3 & 31) || f.c != 0) reach_error();
  f.a = 7;
  f.a++;
  if (f.a != 0) reach_error();
  if (f.b != (x >> 3 & 31)) reach_error();
  if (f.a - 1 != -1 || f.a - 1 > 0) reach_error();
  f.c = 3;
  if (!f.c || sizeof f != 4) reach_error();
  return 0;
}
