//! unreach-call: false
// The last element is left out.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define N 6
int a[N];

int main(void) {
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int largest = a[0];
  for (int i = 1; i < N - 1; i++)
    if (a[i] > largest) largest = a[i];
  for (int i = 0; i < N; i++)
    if (a[i] > largest) reach_error();
  return 0;
}
