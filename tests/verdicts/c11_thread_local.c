//! unreach-call: true
//! valid-memsafety: true
//! no-overflow: true
// Thread-local variables behave like globals in a program with one thread; both spellings.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static _Thread_local int counter = 3;
__thread _Bool flag;

static void bump(void) {
  static _Thread_local int calls;
  calls++;
  counter += calls;
  flag = calls > 1;
}

int main(void) {
  if (flag) reach_error();
  bump();
  if (flag || counter != 4) reach_error();
  if (__VERIFIER_nondet_int()) bump();
  if (flag != (counter == 6)) reach_error();
  return 0;
}
