//! unreach-call: true
//! valid-memsafety: true
// Bit-fields across units, a zero width, neighbours that are not disturbed.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct tight { unsigned a : 20; unsigned b : 20; char c; };
struct split { unsigned char a : 4; unsigned char : 0; unsigned char b : 4; };
union view { struct { unsigned lo : 4, hi : 28; } f; unsigned word; };

int main(void) {
  if (sizeof(struct tight) != 8 || sizeof(struct split) != 2) reach_error();
  struct tight t = { 0xfffff, 0x12345, 'x' };
  t.b = __VERIFIER_nondet_uint();
  if (t.a != 0xfffff || t.c != 'x') reach_error();
  struct split s = { 15, 9 };
  if (((unsigned char *)&s)[0] % 16 != 15 || ((unsigned char *)&s)[1] % 16 != 9) reach_error();
  union view v = { .word = 0xabcdef12 };
  if (v.f.lo != 2 || v.f.hi != 0xabcdef1) reach_error();
  v.f.lo = 7;
  if (v.word != 0xabcdef17) reach_error();
  return 0;
}
