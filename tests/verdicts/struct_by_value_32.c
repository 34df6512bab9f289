//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
//! flags: --32
// The same on i386, where structs go on the stack and small results too.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct small { short a; char b; };
struct large { long long n[3]; struct small s; };

static struct small swap(struct small s) { char t = s.b; s.b = (char)s.a; s.a = t; return s; }
static struct large fill(struct large l, struct small s) { l.n[2] = s.a; l.s = s; return l; }

int main(void) {
  struct small s = { 3, 4 };
  if (swap(s).a != 4 || swap(s).b != 3 || s.a != 3) reach_error();
  struct large l = { { 0 } };
  s.a = (short)__VERIFIER_nondet_int();
  struct large m = fill(l, s);
  if (m.n[2] != s.a || m.s.a != s.a || m.s.b != 4 || l.n[2] != 0) reach_error();
  return 0;
}
