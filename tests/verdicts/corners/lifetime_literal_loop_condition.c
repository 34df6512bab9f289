//! valid-memsafety: false(valid-deref)
// A compound literal in the condition of a loop ends with the loop.
static int *kept;
static int rounds;
static int keep(int *p) {
  kept = p;
  return rounds++ < 2;
}
int main(void) {
  while (keep(&(int){1}))
    ;
  return *kept;
}
