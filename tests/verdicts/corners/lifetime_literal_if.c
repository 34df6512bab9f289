//! valid-memsafety: false(valid-deref)
// A compound literal ends with the statement that it stands in. Witness for valid-memsafety: 1
extern int __VERIFIER_nondet_int(void);
struct s { int x[3]; };
int main(void) {
  struct s *p = 0;
  if (__VERIFIER_nondet_int()) {
    p = &(struct s){{1, 2, 3}};
  }
  if (p) p->x[1] = 5;
  return 0;
}
