//! unreach-call: true
//! bounds: true
//! valid-memsafety: true
// An element of a vector that is chosen at run time, to be read and to be written; others stay.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

typedef int four __attribute__((vector_size(16)));
typedef float pair __attribute__((vector_size(8)));

int main(void) {
  int at = __VERIFIER_nondet_int();
  if (at < 0 || at > 3) return 0;
  four v = { 10, 11, 12, 13 };
  if (v[at] != 10 + at) reach_error();
  v[at] = 20;
  int sum = 0;
  for (int i = 0; i < 4; i++) sum += v[i];
  if (sum != 46 + 20 - (10 + at)) reach_error();
  pair p = { 0.5f, 1.5f };
  p[at & 1] += 1;
  if (p[at & 1] != 1.5f + (at & 1) || p[!(at & 1)] != 1.5f - (at & 1)) reach_error();
  return 0;
}
