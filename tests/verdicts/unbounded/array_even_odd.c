//! unreach-call: true
// What an element is depends on its index.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

#define N 30000
int a[N];

int main(void) {
  for (int i = 0; i < N; i++) {
    if (i % 2 == 0) a[i] = 4;
    else a[i] = 5;
  }
  for (int i = 0; i < N; i++) {
    if (i % 2 == 0) {
      if (a[i] != 4) reach_error();
    } else if (a[i] != 5) reach_error();
  }
  return 0;
}
