//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Structs of many sizes are passed and returned by value; the caller's copy is untouched.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct s1 { char c; };
struct s3 { char c[3]; };
struct s8 { int a, b; };
struct s12 { int a, b, c; };
struct s16 { long a; double d; };
struct s40 { int n[10]; };

static struct s1 f1(struct s1 s) { s.c++; return s; }
static struct s3 f3(struct s3 s) { s.c[2] = s.c[0]; return s; }
static struct s8 f8(struct s8 s) { int t = s.a; s.a = s.b; s.b = t; return s; }
static struct s12 f12(struct s12 s) { s.c = s.a ^ s.b; return s; }
static struct s16 f16(struct s16 s) { s.d = s.d * 2; s.a = -1; return s; }
static struct s40 f40(struct s40 s, int i) { s.n[i] = i; return s; }

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  struct s1 a = { 1 };
  if (f1(a).c != 2 || a.c != 1) reach_error();
  struct s3 b = { { 7, 8, 9 } };
  if (f3(b).c[2] != 7 || b.c[2] != 9) reach_error();
  struct s8 c = { x, y };
  if (f8(c).a != y || f8(c).b != x || c.a != x) reach_error();
  struct s12 d = { x, y, 0 };
  if (f12(d).c != (x ^ y) || d.c != 0) reach_error();
  struct s16 e = { x, 1.5 };
  if (f16(e).d != 3.0 || f16(e).a != -1 || e.a != x) reach_error();
  struct s40 g = { { 0 } };
  if (f40(g, 9).n[9] != 9 || g.n[9] != 0) reach_error();
  return 0;
}
