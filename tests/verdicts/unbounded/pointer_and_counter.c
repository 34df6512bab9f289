//! valid-memsafety: true
// A pointer goes up while a counter goes down: together they stay inside memory whose size nobody knows.
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int size = __VERIFIER_nondet_int();
  if (size < 1 || size > 1000000) return 0;
  char *memory = malloc(size), *to = memory;
  long left = size;
  do {
    *to++ = 1;
    if (__VERIFIER_nondet_int()) {
      while (--left != 0) *to++ = 0;
      break;
    }
  } while (--left != 0);
  free(memory);
  return 0;
}
