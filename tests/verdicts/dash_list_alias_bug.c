//! unreach-call: false
// Two nodes from one statement are different objects, until the program makes them the same.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);

int main(void) {
  int *made[3];
  for (int i = 0; i < 3; i++) {
    made[i] = malloc(sizeof(int));
    *made[i] = i;
  }
  if (__VERIFIER_nondet_int() == 5) made[2] = made[1];
  *made[1] = 7;
  if (*made[0] != 0) reach_error();
  if (*made[2] == 7) reach_error();
  return 0;
}
