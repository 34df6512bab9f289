//! unreach-call: true
// Every round has an object of its own that lives on.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *kept[3];
  for (int i = 0; i < 3; i++) {
    int *p = __builtin_alloca(sizeof(int));
    *p = i;
    kept[i] = p;
  }
  if (*kept[0] != 0 || *kept[1] != 1 || *kept[2] != 2) reach_error();
  return 0;
}
