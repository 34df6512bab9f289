//! valid-memsafety: true
// Temporaries that are used inside of their full expression, in every kind of statement.
struct s { int a[2]; };
struct t { struct s s[2]; } zero;
struct s make(void) { struct s s = {{1, 2}}; return s; }
struct t all(void) { return zero; }
struct s second(void) { return all().s[1]; }
int last(int *p) { return p[1]; }
int main(void) {
  int x = make().a[1], y = last(make().a), sum = 0, *q;
  for (int i = 0; i < 2; i++) sum += make().a[i];
  if (make().a[0] == 1 && last(make().a) == 2) sum++;
  if (*(q = make().a) && *q) sum++;
  struct s one = all().s[1], two = second();
  one = all().s[0];
  return *(q = make().a) + x + y + sum + one.a[0] + two.a[0] - 10;
}
