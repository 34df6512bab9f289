//! bounds: false
//! valid-memsafety: true
// The last index is one too far: it leads from the array to the next field, so every access is inside the object.
struct queue { int element[4], tail; };
extern int __VERIFIER_nondet_int(void);

int main(void) {
  struct queue q = { { 0 }, 0 };
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  q.element[n] = 1;
  return 0;
}
