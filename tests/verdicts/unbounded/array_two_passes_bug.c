//! unreach-call: false
// The second pass begins too late.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define N 50
int a[N];

int main(void) {
  int start = __VERIFIER_nondet_int();
  if (start < 0 || start > 1) return 0;
  for (int i = 0; i < N; i++) a[i] = 7;
  for (int i = start; i < N; i++) a[i] = a[i] + 1;
  for (int i = 0; i < N; i++)
    if (a[i] != 8) reach_error();
  return 0;
}
