//! unreach-call: true
// Filled from the end.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define N 100000
unsigned char a[N];

int main(void) {
  for (int i = N - 1; i >= 0; i--) a[i] = 9;
  unsigned k = __VERIFIER_nondet_uint();
  if (k < N && a[k] != 9) reach_error();
  return 0;
}
