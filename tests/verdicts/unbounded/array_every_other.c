//! unreach-call: true
// Two loops write every other element each; what the first one has done must outlast the second.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int length;

int main(void) {
  length = __VERIFIER_nondet_int();
  if (length <= 1 || length > 100000 || length % 2 != 0) return 0;
  int a[length];
  for (int i = 1; i <= length / 2; i++) a[i * 2 - 2] = 5;
  for (int i = 1; i <= length / 2; i++) {
    a[i * 2 - 1] = 0;
    a[i * 2 - 2] = a[i * 2 - 2];
  }
  for (int i = 0; i < length; i++)
    if (!(a[i] >= 3 || a[i] == 0)) reach_error();
  return 0;
}
