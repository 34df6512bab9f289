//! unreach-call: true
//! valid-memsafety: true
// Bit-fields in a packed struct start at any bit.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct __attribute__((packed)) s { unsigned char tag; unsigned a : 13, b : 11; unsigned short end; };

int main(void) {
  struct s v = { 1, 2, 3, 4 };
  if (sizeof v != 6) reach_error();
  unsigned x = __VERIFIER_nondet_uint();
  v.a = x;
  v.b = x;
  if (v.tag != 1 || v.end != 4) reach_error();
  if (v.a % 2048 != v.b) reach_error();
  v.end = 0xffff;
  if (v.b != x % 2048) reach_error();
  return 0;
}
