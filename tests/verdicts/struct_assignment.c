//! unreach-call: true
//! valid-memsafety: true
// Assignment copies all members, nested structs and arrays included; self-assignment changes nothing.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct inner { int n[2]; char *name; };
struct outer { struct inner in; struct inner more[2]; };

int main(void) {
  char text[] = "t";
  struct outer a = { .more[1].n[0] = __VERIFIER_nondet_int(), .in.name = text }, b;
  b = a;
  if (b.more[1].n[0] != a.more[1].n[0] || b.in.name != text || b.more[0].name) reach_error();
  b.more[1].n[0] ^= 1;
  if (b.more[1].n[0] == a.more[1].n[0]) reach_error();
  b.in = a.more[1];
  if (b.in.n[0] != a.more[1].n[0]) reach_error();
  struct outer *p = &a;
  *p = a;
  if (a.in.name[0] != 't') reach_error();
  return 0;
}
