//! unreach-call: true
// A local of a recursive procedure whose address the next call gets: every call has one of its own.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void fill(int *where, int depth) {
  int here = depth;
  if (depth > 0) {
    fill(&here, depth - 1);
    if (here != depth - 1)
      reach_error();
  }
  *where = depth;
}

int main(void) {
  int top = 7, depth = __VERIFIER_nondet_int();
  if (depth < 0 || depth > 3)
    return 0;
  fill(&top, depth);
  if (top != depth)
    reach_error();
  return 0;
}
