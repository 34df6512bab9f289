//! unreach-call: true
// The largest element so far is above all elements so far.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define N 100000
int a[N];

int main(void) {
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int largest = a[0];
  for (int i = 1; i < N; i++)
    if (a[i] > largest) largest = a[i];
  for (int i = 0; i < N; i++)
    if (a[i] > largest) reach_error();
  return 0;
}
