//! unreach-call: false
// A local of an inlined function is arbitrary anew in each call.
extern void reach_error(void);
static inline __attribute__((always_inline)) int local(int set) {
  int x;
  if (set) x = 5;
  return x;
}
int main(void) {
  int first = local(1), second = local(0);
  if (first == 5 && second == 7) reach_error();
  return 0;
}
