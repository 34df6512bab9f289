//! unreach-call: false
// One element is changed afterwards.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define N 60
int a[N];

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i;
  unsigned k = __VERIFIER_nondet_uint();
  if (k >= N) return 0;
  a[k] = 41;
  for (int i = 0; i < N; i++)
    if (a[i] != i) reach_error();
  return 0;
}
