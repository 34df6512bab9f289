//! uninitialised: true
// What an initialiser or a compound literal does not name is zero.
struct point { int x, y, z; };
static int sum(struct point p) { return p.x + p.y + p.z; }
int main(void) {
  struct point p = {.y = 2};
  int a[6] = {1, 2};
  if (sum(p) + a[4] != 2)
    return 1;
  return sum((struct point){.z = 3}) == 3 ? 0 : 1;
}
