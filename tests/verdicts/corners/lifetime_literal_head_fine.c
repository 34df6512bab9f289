//! valid-memsafety: true
// A compound literal in the head of a selection or loop lives until that ends, also in its body.
static int *kept;
static int keep(int *p) {
  kept = p;
  return 1;
}
int main(void) {
  int sum = 0, *p;
  if (keep(&(int){1})) sum += *kept;
  for (int i = 0; (p = &(int){i})[0] < 2; i++) sum += *p;
  int n = 0;
  while ((p = (int[]){n, 3})[0] < 2) {
    sum += p[1];
    n++;
  }
  switch ((p = &(int){n})[0]) {
  case 2: sum += *p;
  }
  return sum != 10;
}
