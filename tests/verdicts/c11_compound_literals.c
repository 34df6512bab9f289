//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Compound literals: arrays, structs, unions, at file scope, modified through a pointer, passed by value.
extern void reach_error(void);

struct pair { int a, b; };
static int *file_scope = (int[]){ 10, 20, 30 };

static int sum(struct pair p) { return p.a + p.b; }

int main(void) {
  int *p = (int[3]){ 2, 4 };
  if (*(++p) != 4 || p[1] != 0) reach_error();
  *p = 8;
  if (p[-1] != 2 || p[0] != 8) reach_error();
  const float *f = (const float[]){ 1e0f, 1e1f, 1e2f };
  if (f[2] != 100.0f) reach_error();
  if (sum((struct pair){ .b = 5, .a = 1 }) != 6) reach_error();
  file_scope[1]++;
  if (file_scope[1] != 21) reach_error();
  if (((union { unsigned u; unsigned char c; }){ 0x1ff }).c != 0xff) reach_error();
  return 0;
}
