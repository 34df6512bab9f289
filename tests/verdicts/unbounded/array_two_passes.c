//! unreach-call: true
// The second pass changes what the first one wrote: before the index it is done, behind it not yet.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define N 50000
int a[N];

int main(void) {
  for (int i = 0; i < N; i++) a[i] = 7;
  for (int i = 0; i < N; i++) a[i] = a[i] + 1;
  for (int i = 0; i < N; i++)
    if (a[i] != 8) reach_error();
  return 0;
}
